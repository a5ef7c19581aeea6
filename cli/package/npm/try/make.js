// Writes the page for trying espalier, which is one file: node make.js BUILD_FOLDER SOURCE_FOLDER OUTPUT
'use strict';
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const [, , built, sources, output] = process.argv;
const npm = path.join(sources, 'cli/package/npm');
const read = (...names) => fs.readFileSync(path.join(...names), 'utf8');

// Samples, each with the trace that its story is of.
const PROJECTS = [['guard', 'noise'], ['squad', 'firefight'], ['modular', 'firefight'], ['dragengine', 'night'], ['deciders', 'nest'],
  ['synchronized', 'assault']];

function project([name, trace]) {
  const folder = path.join(sources, 'samples', name);
  const names = fs.readdirSync(folder).filter((file) => /\.(xml|debt)$/.test(file) || file === 'espalier.json');
  // The largest tree first, as it is what is shown.
  const size = (file) => (file === 'espalier.json' ? 0 : fs.statSync(path.join(folder, file)).size);
  names.sort((one, other) => size(other) - size(one));
  names.push(`${trace}.trace.jsonl`);
  return { name, files: Object.fromEntries(names.map((file) => [file, read(folder, file)])) };
}

const parts = {
  style: read(sources, 'lib/report/pictures/tokens.css') + read(npm, 'try/try.css'),
  script: read(npm, 'try/try.js'),
  program: zlib.gzipSync(fs.readFileSync(path.join(built, 'espalier.wasm')), { level: 9 }).toString('base64'),
  worker: [read(built, 'espalier.js'), read(npm, 'program.js'), read(npm, 'memory.js'), read(npm, 'try/worker.js')].join('\n')
    .replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--'),
  projects: JSON.stringify(PROJECTS.map(project)).replaceAll('<', '\\u003c'),
};
fs.writeFileSync(output, read(npm, 'try/try.html').replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part]));
