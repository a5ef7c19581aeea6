// A server that runs the program in workers of the page: browser_golden.mjs CHROMIUM PAGE SOCKET FOLDER
// A request is { words, environment, current, input, streams }. The folder in FOLDER that has `current` is copied to the worker and
// gets its changes; elsewhere the worker has no files. The answer is { status, parts } of what was written.
import puppeteer from 'puppeteer-core';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , chromium, page_file, socket, root] = process.argv;
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox'] });
const page = await browser.newPage();
const faults = [];
page.on('pageerror', (error) => faults.push(error.message));
await page.goto(pathToFileURL(page_file).href);
await page.exposeFunction('answer', (id, answer) => answers.get(id)(answer));
await page.evaluate(async (script, count) => {
  const text = document.getElementById('worker').textContent + '\n' + script;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const program = await unpacked();
  window.workers = Array.from({ length: count }, () => {
    const made = new Worker(address);
    made.onmessage = ({ data }) => answer(data.id, JSON.stringify(data));
    made.postMessage({ wasm: program });
    return made;
  });
}, fs.readFileSync('browser_worker.js', 'utf8'), os.cpus().length);

const answers = new Map();
let next = 0;

function runInWorker(job) {
  const id = ++next;
  return new Promise((resolve) => {
    answers.set(id, (answer) => {
      answers.delete(id);
      resolve(JSON.parse(answer));
    });
    page.evaluate((text) => {
      const data = JSON.parse(text);
      workers[data.id % workers.length].postMessage(data);
    }, JSON.stringify({ id, ...job }));
  });
}

function entriesOf(folder, entries = []) {
  for (const name of fs.readdirSync(folder)) {
    const place = path.join(folder, name);
    const stat = fs.lstatSync(place);
    const mode = stat.mode & 0o7777;
    const { dev, ino, mtimeMs } = stat;
    if (stat.isDirectory()) {
      entries.push({ path: place, kind: 'folder', mode });
      entriesOf(place, entries);
    } else if (stat.isSymbolicLink()) {
      entries.push({ path: place, kind: 'link', mode, content: fs.readlinkSync(place) });
      if (fs.existsSync(place) && fs.statSync(place).isFile()) entries.push({ path: fs.realpathSync(place), kind: 'elsewhere' });
    } else if (stat.isFile()) {
      entries.push({ path: place, kind: 'file', mode, content: fs.readFileSync(place).toString('base64'), stat: { dev, ino, mtimeMs } });
    }
  }
  return entries;
}

function apply({ changes, removed }) {
  for (const place of removed.reverse()) fs.rmSync(place, { recursive: true, force: true });
  for (const { path: place, kind, mode, content, isNew } of changes) {
    if (kind === 'folder') fs.mkdirSync(place, { mode });
    if (kind === 'link') fs.symlinkSync(content, place);
    if (kind !== 'file') continue;
    if (isNew) fs.rmSync(place, { force: true });
    fs.writeFileSync(place, Buffer.from(content, 'base64'));
    if (mode !== 0o666) fs.chmodSync(place, mode);  // a new file, of which this system's mask takes away
  }
}

async function serve(request) {
  const job = JSON.parse(request);
  const [first] = path.relative(root, job.current).split(path.sep);
  const place = first === '..' ? { folder: '/project', current: '/project', entries: [] } : { folder: path.join(root, first) };
  const answer = await runInWorker({ ...job, ...place, entries: place.entries || entriesOf(place.folder) });
  if (answer.fault) return JSON.stringify({ status: 70, parts: [[2, Buffer.from(answer.fault + '\n').toString('base64')]] });
  apply(answer);
  return JSON.stringify({ status: answer.status, parts: answer.parts });
}

net.createServer({ allowHalfOpen: true }, (connection) => {
  const parts = [];
  connection.on('data', (part) => parts.push(part));
  connection.on('end', async () => connection.end(await serve(Buffer.concat(parts).toString())));
  connection.on('error', () => {});
}).listen(socket, () => console.log('ready'));

process.on('SIGTERM', async () => {
  await browser.close();
  for (const fault of faults) console.log(fault);
  process.exit(faults.length > 0 ? 1 : 0);
});
