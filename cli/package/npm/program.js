// Runs the program, in Node and in workers of browsers. Each run has an instance of its own, with its own memory and files.
'use strict';

// The bytes that a run writes, in order, to `write(descriptor, bytes)`.
class Output {
  constructor(write) {
    this.write = write;
    this.bytes = new Uint8Array(1 << 16);
    this.size = 0;
    this.descriptor = 0;
  }

  add(descriptor, byte) {
    if (this.descriptor !== descriptor || this.size === this.bytes.length) this.flush();
    this.descriptor = descriptor;
    this.bytes[this.size++] = byte;
  }

  flush() {
    if (this.size > 0) this.write(this.descriptor, this.bytes.slice(0, this.size));
    this.size = 0;
  }
}

// Runs `espalier WORDS...` with what espalier.js exports, and a WebAssembly.Module of espalier.wasm. Returns the exit status.
//   file                      of this program: what it keeps in the user's cache is for this file alone; without it, it keeps nothing
//   prepare(FS)               brings the files there, and changes to the current folder
//   read(bytes)               fills an array from standard input, and returns how many it has read; 0 at the end
//   write(descriptor, bytes)  1: standard output, 2: standard error
//   sleep(time_ms)            waits; without it the program cannot watch files
//   finish(FS)                takes files from there
function runProgram(factory, module, words, { environment = {}, file = '', prepare, read = () => 0, write, sleep, finish = () => {} }) {
  const output = new Output(write);
  let status = 70;
  const program = {
    noInitialRun: true,
    thisProgram: file || 'espalier',
    stdin: () => null,  // see below
    stdout: (byte) => output.add(1, byte),
    stderr: (byte) => output.add(2, byte),
    sleep: sleep && ((time_ms) => {
      output.flush();
      sleep(time_ms);
    }),
    preRun: () => Object.assign(program.ENV, environment),
    quit(code, thrown) {
      if (!('status' in thrown)) throw thrown;  // no exit
      status = code;
    },
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance);
      return instance.exports;
    },
  };
  factory(program);  // nothing in it waits: the module is compiled
  const { FS } = program;
  FS.getStream(0).stream_ops.read = (stream, memory, offset, length) => {
    output.flush();  // a prompt, perhaps
    return read(new Uint8Array(memory.buffer, memory.byteOffset + offset, length));
  };
  prepare(FS);
  try {
    program.callMain(words);
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    output.flush();
    write(2, new TextEncoder().encode('espalier: not enough stack\n'));
    status = 2;
  }
  output.flush();
  finish(FS);
  return status;
}

if (typeof module !== 'undefined') module.exports = { runProgram };
