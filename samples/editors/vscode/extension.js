// Starts `espalier lsp` for trees, traces, properties and espalier.json.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = function () {
  const command = workspace.getConfiguration('espalier').get('command');
  const pattern = (glob) => ({ scheme: 'file', pattern: `**/${glob}` });
  client = new LanguageClient('espalier', { command, args: ['lsp'] }, {
    documentSelector: ['*.xml', '*.debt', '*.trace.jsonl', '*.properties.json', 'espalier.json'].map(pattern),
    synchronize: { fileEvents: workspace.createFileSystemWatcher('**/{*.xml,*.debt,*.trace.jsonl,*.json}') },
  });
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
