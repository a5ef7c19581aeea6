// Starts `espalier lsp` for trees, traces, properties and espalier.json, runs traces, debugs them with `espalier dap`, and
// shows trees as pictures.
const { execFile } = require('child_process');
const { dirname } = require('path');
const { commands, debug, DebugAdapterExecutable, languages, Uri, ViewColumn, window, workspace } = require('vscode');
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

// A page with scripts of its own, which needs nothing from elsewhere.
function showPicture(uri) {
  const tree = chosen(uri);
  if (!tree) return window.showWarningMessage('espalier: open a file of trees first.');
  return new Promise((resolve) => {
    const options = { cwd: dirname(tree.fsPath), maxBuffer: kMaxPictureBytes };
    execFile(program(), ['graph', '--format', 'html', tree.fsPath], options, (error, page, messages) => {
      if (page) {
        const panel = window.createWebviewPanel('espalier.picture', `Picture of ${Uri.parse(tree.toString()).path.split('/').pop()}`,
                                                ViewColumn.Beside, { enableScripts: true, retainContextWhenHidden: true });
        panel.webview.html = page;
      } else {
        window.showErrorMessage(`espalier: no picture. ${messages || error}`);
      }
      resolve();
    });
  });
}

exports.activate = function (context) {
  const pattern = (glob) => ({ scheme: 'file', pattern: `**/${glob}` });
  client = new LanguageClient('espalier', { command: program(), args: ['lsp'] }, {
    documentSelector: ['*.xml', '*.debt', '*.trace.jsonl', '*.properties.json', 'espalier.json'].map(pattern),
  });
  context.subscriptions.push(commands.registerCommand('espalier.runOpenTrace', runOpenTrace),
                             commands.registerCommand('espalier.showPicture', showPicture),
                             debug.registerDebugAdapterDescriptorFactory('espalier', {
                               createDebugAdapterDescriptor: () => new DebugAdapterExecutable(program(), ['dap']),
                             }));
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
