// Starts `espalier lsp` for trees, traces, properties and espalier.json, runs traces, debugs them with `espalier dap`, and
// shows trees as pictures.
const { execFile } = require('child_process');
const { basename, dirname, relative, resolve, sep } = require('path');
const { ColorThemeKind, commands, debug, DebugAdapterExecutable, languages, Range, TextEditorSelectionChangeKind, Uri, ViewColumn, window,
  workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const kMaxPictureBytes = 64 * 1024 * 1024;
let client;

const program = () => workspace.getConfiguration('espalier').get('command');

// The file that a command was called for: by a menu, or the one in the active editor.
function chosen(uri) {
  return uri || (window.activeTextEditor && window.activeTextEditor.document.uri);
}

async function runOpenTrace(uri) {
  const trace = chosen(uri);
  if (!trace) return window.showWarningMessage('espalier: open a trace first (*.trace.jsonl).');
  const result = await client.sendRequest('workspace/executeCommand', { command: 'espalier.runTrace', arguments: [trace.toString()] });
  if (result && result.passed) return window.showInformationMessage('espalier: all expectations of the trace hold.');
  const faults = languages.getDiagnostics(trace).map((each) => `line ${each.range.start.line + 1}: ${each.message}`);
  return window.showErrorMessage(`espalier: the trace does not hold. ${faults.slice(0, 3).join('; ')}`);
}

// Pictures that are open: panels, by the path of the file that each was opened for.
const pictures = new Map();

const isLight = (kind) => kind === ColorThemeKind.Light || kind === ColorThemeKind.HighContrastLight;
const theme = () => (isLight(window.activeColorTheme.kind) ? 'light' : 'dark');

// A page with scripts of its own, which needs nothing from elsewhere.
function drawPicture(path) {
  const options = { cwd: dirname(path), maxBuffer: kMaxPictureBytes };
  return new Promise((done) => {
    execFile(program(), ['graph', '--format', 'html', path], options, (error, page, messages) => {
      done({ page: page.replace('<html lang="en">', `<html lang="en" data-theme="${theme()}">`), fault: messages || error });
    });
  });
}

// The line of a node that was chosen in a picture of a file, which names others as they are seen from its folder. The picture keeps the keys.
function showLine(path, { file, line }) {
  const uri = Uri.file(resolve(dirname(path), file)), open = window.visibleTextEditors.find((editor) => editor.document.uri.fsPath === uri.fsPath);
  const selection = new Range(line - 1, 0, line - 1, 0);
  return window.showTextDocument(uri, { viewColumn: open ? open.viewColumn : ViewColumn.One, preserveFocus: true, selection });
}

async function showPicture(uri) {
  const tree = chosen(uri);
  if (!tree) return window.showWarningMessage('espalier: open a file of trees first.');
  const path = tree.fsPath;
  if (pictures.has(path)) return pictures.get(path).reveal();
  const { page, fault } = await drawPicture(path);
  if (!page) return window.showErrorMessage(`espalier: no picture. ${fault}`);
  const panel = window.createWebviewPanel('espalier.picture', `Picture of ${basename(path)}`, ViewColumn.Beside,
                                          { enableScripts: true, retainContextWhenHidden: true });
  pictures.set(path, panel);
  panel.onDidDispose(() => pictures.delete(path));
  panel.webview.onDidReceiveMessage(({ place }) => {
    panel.place = place;
    return showLine(path, place);
  });
  panel.webview.html = page;
}

// After a file is saved, pictures show it; the chosen node stays chosen.
async function drawAgain({ uri }) {
  if (!/\.(xml|debt|json)$/.test(uri.fsPath)) return;
  for (const [path, panel] of pictures) {
    const { page } = await drawPicture(path);
    if (!page || !pictures.has(path) || page === panel.webview.html) continue;
    panel.webview.html = page;
    if (panel.place) panel.webview.postMessage({ place: panel.place });
  }
}

function tellTheme() {
  for (const panel of pictures.values()) panel.webview.postMessage({ theme: theme() });
}

// Where the cursor goes by hand, pictures follow.
function followCursor({ textEditor, selections, kind }) {
  if (kind !== TextEditorSelectionChangeKind.Keyboard && kind !== TextEditorSelectionChangeKind.Mouse) return;
  const line = selections[0].active.line + 1;
  for (const [path, panel] of pictures) {
    const file = relative(dirname(path), textEditor.document.uri.fsPath).split(sep).join('/');
    panel.webview.postMessage({ place: { file, line } });
  }
}

exports.activate = function (context) {
  const pattern = (glob) => ({ scheme: 'file', pattern: `**/${glob}` });
  client = new LanguageClient('espalier', { command: program(), args: ['lsp'] }, {
    documentSelector: ['*.xml', '*.debt', '*.trace.jsonl', '*.properties.json', 'espalier.json'].map(pattern),
  });
  context.subscriptions.push(commands.registerCommand('espalier.runOpenTrace', runOpenTrace),
                             commands.registerCommand('espalier.showPicture', showPicture),
                             workspace.onDidSaveTextDocument(drawAgain),
                             window.onDidChangeActiveColorTheme(tellTheme),
                             window.onDidChangeTextEditorSelection(followCursor),
                             debug.registerDebugAdapterDescriptorFactory('espalier', {
                               createDebugAdapterDescriptor: () => new DebugAdapterExecutable(program(), ['dap']),
                             }));
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
