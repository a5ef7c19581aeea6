// Checks and draws a project, in a worker: { files } gives { findings, said, page }. The parts before define `espalier`,
// `runProgram` and `runInMemory`.
'use strict';

let program = null;
let queue = Promise.resolve();

function check({ files }) {
  const run = (...words) => runInMemory(program, words, files);
  const traces = Object.keys(files).filter((name) => name.endsWith('.trace.jsonl'));
  const linted = run('lint', '--format', 'json');
  if (linted.status > 1) return { findings: [], said: linted.errors };
  const { findings } = JSON.parse(linted.output);
  if (findings.some((finding) => finding.severity === 'error')) return { findings, said: '' };
  if (traces.length > 0) {
    const replayed = run('replay', ...traces.map((name) => '--trace=' + name), '--format=html', '--output=page.html');
    const page = replayed.files['page.html'];
    if (page) return { findings, said: replayed.status === 0 ? '' : replayed.errors, page };
    return { findings, said: replayed.errors, page: run('graph', '--format', 'html').output };
  }
  return { findings, said: '', page: run('graph', '--format', 'html').output };
}

async function answer({ data }) {
  if (data.wasm) {
    program = { factory: espalier, runProgram, module: await WebAssembly.compile(data.wasm) };
    return;
  }
  let result;
  try {
    result = check(data);
  } catch (fault) {
    result = { findings: [], said: String(fault) };
  }
  postMessage({ ...result, id: data.id });
}

onmessage = (event) => { queue = queue.then(() => answer(event)); };
