#!/usr/bin/env node
// The command `espalier`, with the files of the system.
'use strict';
const fs = require('fs');
const path = require('path');
const tty = require('tty');
const factory = require('./espalier.js');
const { runProgram } = require('./program.js');

const OWN_FOLDERS = ['dev', 'proc', 'sys'];  // of the system that espalier.js imitates

let systemFault = null;  // an error of Node as one of that system

// What is at the root appears at the same place.
function mountSystem(FS) {
  const system = FS.filesystems.NODEFS;
  systemFault = (fault) => new FS.ErrnoError(system.convertNodeCode(fault));
  system.node_ops.readlink = (node) => {  // emscripten's makes links relative to the root
    try {
      return fs.readlinkSync(system.realPath(node));
    } catch (fault) {
      throw systemFault(fault);
    }
  };
  for (const name of fs.readdirSync('/')) {
    if (OWN_FOLDERS.includes(name)) continue;
    const place = '/' + name;
    const kind = fs.lstatSync(place);
    if (kind.isSymbolicLink()) FS.symlink(fs.readlinkSync(place), place);
    if (!kind.isDirectory()) continue;
    if (!FS.analyzePath(place).exists) FS.mkdir(place);
    FS.mount(system, { root: place }, place);
  }
  FS.chdir(process.cwd());
}

// Standard streams are what they are for the system: a terminal, or a file that may be an output too.
function describeStreams(FS) {
  for (const descriptor of [0, 1, 2]) {
    const stream = FS.getStream(descriptor);
    stream.tty = tty.isatty(descriptor);
    stream.stat = () => fs.fstatSync(descriptor);
  }
}

function sleep(time_ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time_ms);
}

function readInput(bytes) {
  for (;;) {
    try {
      return fs.readSync(0, bytes);
    } catch (fault) {
      if (fault.code === 'EOF') return 0;  // of a pipe on Windows
      if (fault.code !== 'EAGAIN') throw systemFault(fault);
      sleep(10);
    }
  }
}

function refuseOutput(descriptor, fault) {
  const reason = fault.message.replace(/^\w+: (.)(.*), .*/, (_, first, rest) => first.toUpperCase() + rest);
  if (descriptor === 1) fs.writeSync(2, `espalier: cannot write to standard output: ${reason}\n`);
  process.exit(2);
}

function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (fault) {
      if (fault.code === 'EPIPE') process.exit(0);  // the reader has all that it wants
      if (fault.code !== 'EAGAIN') refuseOutput(descriptor, fault);
    }
  }
}

const file = path.join(__dirname, 'espalier.wasm');
const module_ = new WebAssembly.Module(fs.readFileSync(file));
const columns = process.stdout.columns ? { COLUMNS: String(process.stdout.columns) } : {};
process.exitCode = runProgram(factory, module_, process.argv.slice(2), {
  environment: { ...columns, ...process.env }, file, read: readInput, write: writeAll, sleep,
  prepare(FS) {
    mountSystem(FS);
    describeStreams(FS);
  },
});
