// The page: what is typed goes to a worker, and what it finds and draws is shown. Only the newest text is checked.
'use strict';
const byId = (id) => document.getElementById(id);
const projects = JSON.parse(byId('projects').textContent);
const PAUSE_ms = 250;       // after the last key
const PATIENCE_ms = 20000;  // then the worker is begun anew
const LINE_px = 18;

const state = { files: {}, file: '', findings: [], next: 0, sent: 0, isBusy: false, isChanged: false, page: '', timer: 0, alarm: 0 };
let worker = null;
let wasm = null;

// ---- The worker

async function unpacked() {
  const packed = Uint8Array.from(atob(byId('program').textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function startWorker() {
  if (worker) worker.terminate();
  const address = URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' }));
  worker = new Worker(address);
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => say(event.message);
  worker.postMessage({ wasm });
  state.isBusy = false;
}

function send() {
  if (state.isBusy) {
    state.isChanged = true;
    return;
  }
  state.isBusy = true;
  state.isChanged = false;
  worker.postMessage({ id: ++state.sent, files: state.files });
  say('checking');
  state.alarm = setTimeout(() => {
    startWorker();
    say('This takes too long here: the program on your system has no such limit.');
  }, PATIENCE_ms);
}

function receive({ id, findings, said, page }) {
  if (id !== state.sent) return;
  clearTimeout(state.alarm);
  state.isBusy = false;
  state.findings = findings;
  showFindings(said);
  byId('picture').classList.toggle('old', page === undefined);
  const text = page instanceof Uint8Array ? new TextDecoder().decode(page) : page;
  if (text !== undefined && text !== state.page) {
    state.page = text;
    showPage();
  }
  const count = findings.length;
  say(count === 0 && !said ? 'no findings' : `${count} finding${count === 1 ? '' : 's'}` + (page === undefined ? '; the tree is the last one without errors' : ''));
  if (state.isChanged) send();
}

function changed() {
  clearTimeout(state.timer);
  state.timer = setTimeout(send, PAUSE_ms);
}

// ---- What is shown

function say(text) { byId('state').textContent = text; }

// The page of the picture tells which line was chosen in it, and is told a theme or a line: see lib/report/pictures/page.js.
function showPage() {
  byId('picture').srcdoc = state.page.replace('<html lang="en">', `<html lang="en" data-theme="${document.documentElement.dataset.theme}">`);
}
const tellPicture = (message) => byId('picture').contentWindow.postMessage(message, '*');

function showLines() {
  const worst = {};
  for (const { file, line, severity } of state.findings) if (file === state.file && worst[line] !== 'error') worst[line] = severity;
  const count = byId('text').value.split('\n').length;
  byId('lines').replaceChildren(...Array.from({ length: count }, (_, i) => {
    const line = document.createElement('div');
    line.textContent = i + 1;
    if (worst[i + 1]) line.className = worst[i + 1];
    return line;
  }));
  byId('lines').scrollTop = byId('text').scrollTop;
}

function showFindings(said) {
  const items = state.findings.map((finding) => {
    const button = document.createElement('button');
    const place = document.createElement('span');
    place.className = finding.severity;
    place.textContent = `${finding.file}:${finding.line}: ${finding.severity}: ${finding.message} [${finding.rule} ${finding.code}]`;
    button.append(place);
    if (finding.hint) {
      const hint = document.createElement('span');
      hint.className = 'hint';
      hint.textContent = '\n  ' + finding.hint;
      button.append(hint);
    }
    button.addEventListener('click', () => goTo(finding));
    return button;
  });
  if (said) {
    const text = document.createElement('button');
    text.textContent = said.trim();
    items.push(text);
  }
  byId('findings').replaceChildren(...items.map((each) => {
    const item = document.createElement('li');
    item.append(each);
    return item;
  }));
  showLines();
}

// Columns count bytes of UTF-8.
function offsetOf(text, line, column) {
  let offset = 0;
  for (let i = 1; i < line; ++i) offset = text.indexOf('\n', offset) + 1;
  let left = column - 1;
  for (const letter of text.slice(offset)) {
    if (left <= 0 || letter === '\n') break;
    left -= new TextEncoder().encode(letter).length;
    offset += letter.length;
  }
  return offset;
}

function goTo({ file, line, column, endLine, endColumn }) {
  if (!(file in state.files)) return;
  openFile(file);
  const text = byId('text');
  text.focus();
  text.setSelectionRange(offsetOf(text.value, line, column), offsetOf(text.value, endLine, endColumn));
  text.scrollTop = Math.max(0, (line - 5) * LINE_px);
}

// A line whose node was chosen in the picture, which keeps the keys.
function showLine({ file, line }) {
  if (!(file in state.files)) return;
  openFile(file);
  const text = byId('text'), lines = text.value.split('\n'), begin = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  text.setSelectionRange(begin, begin + lines[line - 1].length);
  text.scrollTop = Math.max(0, (line - 5) * LINE_px);
}

// ---- Files

function openFile(name) {
  state.file = name;
  byId('files').value = name;
  if (byId('text').value !== state.files[name]) byId('text').value = state.files[name];
  showLines();
}

function openProject(index) {
  state.files = { ...projects[index].files };
  const options = Object.keys(state.files).map((name) => new Option(name, name));
  byId('files').replaceChildren(...options);
  openFile(Object.keys(state.files)[0]);
  send();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  tellPicture({ theme });
}

// Where the cursor is in the editor, as a line.
function tellLine() {
  const text = byId('text');
  tellPicture({ place: { file: state.file, line: text.value.slice(0, text.selectionStart).split('\n').length } });
}

async function begin() {
  projects.forEach(({ name }, i) => byId('samples').append(new Option(name, String(i))));
  byId('samples').addEventListener('change', (event) => openProject(Number(event.target.value)));
  byId('files').addEventListener('change', (event) => openFile(event.target.value));
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  byId('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  addEventListener('message', ({ source, data }) => { if (source === byId('picture').contentWindow) showLine(data.place); });
  byId('text').addEventListener('click', tellLine);
  byId('text').addEventListener('keyup', ({ key }) => { if (/^(Arrow|Page|Home|End)/.test(key)) tellLine(); });
  byId('text').addEventListener('input', (event) => {
    state.files[state.file] = event.target.value;
    showLines();
    changed();
  });
  byId('text').addEventListener('scroll', () => { byId('lines').scrollTop = byId('text').scrollTop; });
  addEventListener('keydown', (event) => {
    if (event.key !== 'F8' || state.findings.length === 0) return;
    event.preventDefault();
    goTo(state.findings[state.next++ % state.findings.length]);
  });
  wasm = await unpacked();
  startWorker();
  openProject(0);
}

begin();
