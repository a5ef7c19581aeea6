// lint, compile and replay on files in memory. See index.d.ts.
'use strict';
const fs = require('fs');
const path = require('path');
const { runInMemory } = require('./memory.js');
const { runProgram } = require('./program.js');

const FAILED = 2;  // this exit status and larger ones: the command could not do its work

let program;  // compiled once

function run(words, files, options) {
  program ??= { factory: require('./espalier.js'), runProgram,
    module: new WebAssembly.Module(fs.readFileSync(path.join(__dirname, 'espalier.wasm'))) };
  return runInMemory(program, words, files, options);
}

// { failOn: 'note', strip: true } as --fail-on note --strip
function optionWords(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const word = '--' + name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase());
    return [value].flat().flatMap((each) => (each === true ? [word] : each === false ? [] : [`${word}=${each}`]));
  });
}

function runVerb(verb, files, { paths = [], ...options }) {
  const result = run([verb, ...optionWords(options), '--', ...paths], files);
  if (result.status >= FAILED) throw new Error(result.errors.trim());
  return result;
}

function lint(files, options = {}) {
  return JSON.parse(runVerb('lint', files, { ...options, format: 'json' }).output);
}

function compile(files, options = {}) {
  const asset = '.compiled.espb';
  const result = runVerb('compile', files, { ...options, format: 'json', output: asset });
  return { ...JSON.parse(result.output), asset: result.files[asset] };
}

function replay(files, options = {}) {
  const result = runVerb('replay', files, { ...options, format: 'jsonl' });
  const events = result.output.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  return { holds: result.status === 0, events, report: result.errors };
}

module.exports = { lint, compile, replay, run };
