#!/usr/bin/env node
// The command `espalier`, with the files of the system.
'use strict';
const fs = require('fs');
const path = require('path');
const factory = require('./espalier.js');
const { runProgram } = require('./program.js');

const OWN_FOLDERS = ['dev', 'proc', 'sys'];  // of the system that espalier.js imitates

// What is at the root appears at the same place.
function mountSystem(FS) {
  const system = FS.filesystems.NODEFS;
  system.node_ops.readlink = (node) => {  // emscripten's makes links relative to the root
    try {
      return fs.readlinkSync(system.realPath(node));
    } catch (fault) {
      throw new FS.ErrnoError(system.convertNodeCode(fault));
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

function readInput() {
  let input = null;
  let at = 0;
  return () => {
    if (input === null) input = fs.readFileSync(0);
    return at < input.length ? input[at++] : null;
  };
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

const module_ = new WebAssembly.Module(fs.readFileSync(path.join(__dirname, 'espalier.wasm')));
process.exitCode = runProgram(factory, module_, process.argv.slice(2), {
  environment: process.env, prepare: mountSystem, read: readInput(), write: writeAll,
});
