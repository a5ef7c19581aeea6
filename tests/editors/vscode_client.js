// Activates the packed extension of VS Code against a stub of its interface: node vscode_client.js ESPALIER EXTENSION FOLDER, where
// EXTENSION is the folder `extension` of an unpacked .vsix and FOLDER a copy of samples/guard. It speaks with the real server. Leaves
// FOLDER/picture.html, what the panel of a picture shows.
const assert = require('assert');
const { existsSync, readFileSync, statSync, unlinkSync, writeFileSync } = require('fs');
const Module = require('module');
const { join } = require('path');
const { fileURLToPath, pathToFileURL } = require('url');

const [espalier, extension, folder] = process.argv.slice(2);
const kWait_ms = 20000;

const disposable = () => ({ dispose() {} });
const commands = new Map();
const debuggers = new Map();
const messages = [];
const published = new Map();  // diagnostics by URI
const panels = [];
const watchers = [];
const shownLines = [];
let theme = 2;

// What the client's library takes from VS Code and this test does not look at: a class for each name with a capital, whose constants have
// any members, and an event or function for any other name.
const constant = () => new Proxy(function () {}, { get: (target, name) => (name === Symbol.toPrimitive ? () => '' : constant()), apply: constant });
const a_class = () => new Proxy(class { constructor(...values) { Object.assign(this, values[0]); } }, {
  get: (target, name) => (name in target || typeof name === 'symbol' ? target[name] : constant()) });
function anything(known) {
  return new Proxy(known, {
    get(target, name) {
      if (!(name in target) && typeof name === 'string') target[name] = /^[A-Z]/.test(name) ? a_class() : disposable;
      return target[name];
    },
  });
}

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(a, b, c, d) { Object.assign(this, c === undefined ? { start: a, end: b } : { start: new Position(a, b), end: new Position(c, d) }); }
}
class Uri {
  constructor(text) { Object.assign(this, { text, scheme: 'file', fsPath: fileURLToPath(text), path: new URL(text).pathname }); }
  toString() { return this.text; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
}
class EventEmitter {
  constructor() {
    this.listeners = [];
    this.event = (listener) => (this.listeners.push(listener), disposable());
  }
  fire(value) { this.listeners.forEach((listener) => listener(value)); }
  dispose() {}
}
class Disposable {
  dispose() {}
}
class CancellationTokenSource {
  constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: disposable }; }
  cancel() { this.token.isCancellationRequested = true; }
  dispose() {}
}

function document(path, languageId) {
  const text = readFileSync(path, 'utf8');
  return { uri: Uri.file(path), fileName: path, languageId, version: 1, isClosed: false, isDirty: false, getText: () => text, lineCount: text.split('\n').length };
}
const [saved, themeChanged, cursorMoved] = [1, 2, 3].map(() => new EventEmitter());
function createPanel(kind, title) {
  const got = new EventEmitter(), told = [];
  panels.push({ kind, title, got, told, onDidDispose: disposable, reveal() {}, webview: { html: '', onDidReceiveMessage: got.event, postMessage: (message) => told.push(message) } });
  return panels.at(-1);
}

const documents = [document(join(folder, 'guard.xml'), 'xml'), document(join(folder, 'intruder.trace.jsonl'), 'jsonl')];

const vscode = anything({
  version: '1.90.0', Position, Range, Uri, EventEmitter, CancellationTokenSource, Disposable, ViewColumn: { Beside: -2 },
  ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 }, TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DebugAdapterExecutable: class { constructor(command, words) { Object.assign(this, { command, words }); } },
  debug: anything({
    registerDebugAdapterDescriptorFactory: (type, factory) => {
      debuggers.set(type, factory);
      return disposable();
    },
  }),
  env: anything({ appName: 'a stub', language: 'en', appHost: 'desktop' }),
  commands: anything({
    registerCommand: (name, run) => {
      assert(!commands.has(name), `two commands are called ${name}`);
      commands.set(name, run);
      return disposable();
    },
    executeCommand: async () => undefined,
  }),
  languages: anything({
    match: (selector, each) => [].concat(selector).some((filter) => each.fileName.endsWith(filter.pattern.replace(/^.*\*/, '').replace(/^.*\//, '/'))) ? 10 : 0,
    createDiagnosticCollection: () => ({ set: (uri, list) => published.set(uri.toString(), list || []), delete: (uri) => published.delete(uri.toString()), clear() {}, dispose() {}, get: () => [], has: () => false, forEach() {} }),
    getDiagnostics: (uri) => published.get(uri.toString()) || [],
  }),
  window: anything({
    createOutputChannel: () => ({ append() {}, appendLine(text) { messages.push(text); }, show() {}, dispose() {}, error(text) { messages.push(text); }, info() {}, warn() {}, debug() {}, trace() {} }),
    showInformationMessage: async (text) => void messages.push(text), showWarningMessage: async (text) => void messages.push(text),
    showErrorMessage: async (text) => void messages.push(text),
    createWebviewPanel: createPanel, activeColorTheme: { get kind() { return theme; } }, onDidChangeActiveColorTheme: themeChanged.event,
    onDidChangeTextEditorSelection: cursorMoved.event, showTextDocument: async (uri, options) => void shownLines.push([uri.fsPath, options.selection.start.line + 1]),
    visibleTextEditors: [], tabGroups: anything({ all: [] }),
  }),
  workspace: anything({
    onDidSaveTextDocument: saved.event,
    textDocuments: documents, notebookDocuments: [], workspaceFolders: [{ uri: Uri.file(folder), name: 'guard', index: 0 }],
    getConfiguration: () => ({ get: (name, otherwise) => (name === 'command' ? espalier : otherwise), inspect: () => undefined }),
    createFileSystemWatcher: (pattern) => {
      const watcher = { pattern, created: new EventEmitter(), deleted: new EventEmitter() };
      watchers.push(watcher);
      return { onDidCreate: watcher.created.event, onDidChange: disposable, onDidDelete: watcher.deleted.event, dispose() {} };
    },
    getWorkspaceFolder: () => undefined,
  }),
});

const load = Module._load;
Module._load = function (name, ...rest) { return name === 'vscode' ? vscode : load.call(this, name, ...rest); };

async function until(holds, what) {
  for (const end = Date.now() + kWait_ms; !holds(); await new Promise((resolve) => setTimeout(resolve, 20))) {
    assert(Date.now() < end, `${what}: never; ${messages.join('\n')}`);
  }
}

async function main() {
  const description = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
  const contributed = description.contributes;
  const files = [description.main, description.icon, 'readme.md', 'LICENSE.txt', ...contributed.jsonValidation.map((each) => each.url)];
  for (const file of files) assert(existsSync(join(extension, file)) && statSync(join(extension, file)).size > 0, `not packed: ${file}`);
  assert.deepStrictEqual(contributed.jsonValidation.map((each) => each.fileMatch).sort(), ['*.properties.json', '*.trace.jsonl', 'espalier.json']);

  const main = require(join(extension, description.main));
  await main.activate({ subscriptions: [], asAbsolutePath: (path) => join(extension, path) });
  for (const { command } of contributed.commands) assert(commands.has(command), `not registered: ${command}`);
  assert(commands.has('espalier.runTrace'), 'the command of the lenses is not registered');
  for (const { type } of contributed.debuggers) {
    const started = debuggers.get(type).createDebugAdapterDescriptor({});
    assert.deepStrictEqual({ ...started }, { command: espalier, words: ['dap'] });
  }
  assert(contributed.breakpoints.some((each) => each.language === 'xml'), 'lines of XML take no breakpoints');

  const [tree, trace] = documents;
  await until(() => published.has(tree.uri.toString()), 'diagnostics of the tree');
  // What the server watches is watched by VS Code, and a file that another program writes has findings.
  const trees = watchers.find((each) => each.pattern === '**/*.{xml,debt,btproj,json}');
  assert(trees && watchers.some((each) => each.pattern.includes('CMakeLists.txt')), JSON.stringify(watchers.map((each) => each.pattern)));
  const other = join(folder, 'other.xml');
  writeFileSync(other, '<SelectionTree name="Other"><Leaf name="A" condition="Unknown"/></SelectionTree>');
  const shown = () => (published.get(Uri.file(other).toString()) || []).length;
  trees.created.fire(Uri.file(other));
  await until(() => shown() > 0, 'diagnostics of a new file');
  unlinkSync(other);
  trees.deleted.fire(Uri.file(other));
  await until(() => shown() === 0, 'diagnostics of a file that is gone');
  await commands.get('espalier.runOpenTrace')(trace.uri);
  assert.match(messages.at(-1), /all expectations of the trace hold/);
  await commands.get('espalier.showPicture')(tree.uri);
  assert(panels.length === 1 && panels[0].webview.html.includes('Guard'), messages.at(-1));
  const [{ webview, got, told }] = panels;
  assert(webview.html.includes('<html lang="en" data-theme="dark">'), 'a picture is not as dark as the editor');
  writeFileSync(join(folder, 'picture.html'), webview.html);
  // A node that is chosen shows its line; a cursor that is moved by hand, and another theme, are told.
  got.fire({ place: { file: 'guard.xml', line: 22 } });
  assert.deepStrictEqual(shownLines, [[tree.fileName, 22]]);
  const moved = (kind) => cursorMoved.fire({ textEditor: { document: tree }, selections: [{ active: new Position(22, 0) }], kind });
  moved(3);
  moved(2);
  theme = 1;
  themeChanged.fire();
  assert.deepStrictEqual(told.splice(0), [{ place: { file: 'guard.xml', line: 23 } }, { theme: 'light' }]);
  // A saved file is drawn again, and its chosen node stays so.
  writeFileSync(tree.fileName, tree.getText().replace('name="Patrol"', 'name="Wander"'));
  saved.fire(tree);
  await until(() => webview.html.includes('Wander'), 'a picture of what was saved');
  assert.deepStrictEqual(told, [{ place: { file: 'guard.xml', line: 22 } }]);
  await commands.get('espalier.showPicture')(tree.uri);
  assert(panels.length === 1, 'a file has two pictures');
  await main.deactivate();
  console.log(`VS Code: ${contributed.commands.length} commands, ${files.length} files and the server hold`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
