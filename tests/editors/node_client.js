// Asks the language server by npm's vscode-languageserver-protocol: node node_client.js ESPALIER FOLDER, where FOLDER is a copy of
// samples/guard and the package can be found from the current folder.
const { spawn } = require('child_process');
const { readFileSync } = require('fs');
const { join } = require('path');
const { pathToFileURL } = require('url');
const assert = require('assert');
const protocol = require(require.resolve('vscode-languageserver-protocol/node', { paths: [process.cwd()] }));

async function main(espalier, folder) {
  const server = spawn(espalier, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
  const diagnostics = new Map();
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => diagnostics.set(found.uri, found));
  connection.listen();
  const started = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).href, workspaceFolders: null, capabilities: {} });
  assert(started.capabilities.hoverProvider);
  connection.sendNotification(protocol.InitializedNotification.type, {});

  const uri = pathToFileURL(join(folder, 'guard.xml')).href;
  const text = readFileSync(join(folder, 'guard.xml'), 'utf8');
  connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'xml', version: 1, text } });
  const at = text.indexOf('condition="Alerted"') + 'condition="'.length;
  const before = text.slice(0, at).split('\n');
  const place = { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1).length } };
  const all = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

  // Each kind of request once: its answer is what the check wants.
  const requests = [
    [protocol.HoverRequest, place, (hover) => hover.contents.value.includes('set by')],
    [protocol.CompletionRequest, place, (list) => list.items.some((item) => item.label === 'EnemyVisible')],
    [protocol.DefinitionRequest, place, (found) => found.length === 1 && found[0].uri === uri],
    [protocol.ReferencesRequest, { ...place, context: { includeDeclaration: false } }, (found) => found.length > 3],
    [protocol.DocumentHighlightRequest, place, (found) => found.length > 3],
    [protocol.PrepareRenameRequest, place, (found) => found.placeholder === 'Alerted'],
    [protocol.RenameRequest, { ...place, newName: 'Warned' }, (edit) => edit.changes[uri].length > 3],
    [protocol.DocumentSymbolRequest, place, ([tree]) => tree.detail === 'Guard'],
    [protocol.WorkspaceSymbolRequest, { query: 'guard' }, (found) => found.length === 1],
    [protocol.FoldingRangeRequest, place, (found) => found.length > 3],
    [protocol.SemanticTokensRequest, place, (found) => found.data.length % 5 === 0 && found.data.length > 0],
    [protocol.CodeLensRequest, place, (found) => found.some((lens) => lens.command.title === '8 bytes an agent')],
    [protocol.InlayHintRequest, { ...place, range: all }, (found) => Array.isArray(found)],
    [protocol.DocumentFormattingRequest, { ...place, options: { tabSize: 2, insertSpaces: true } }, (edits) => Array.isArray(edits)],
    [protocol.CodeActionRequest, { ...place, range: all, context: { diagnostics: [] } }, (found) => found.length === 0],
    [protocol.ExecuteCommandRequest, {
      command: 'espalier.runTrace', arguments: [pathToFileURL(join(folder, 'intruder.trace.jsonl')).href] }, (result) => result.passed],
  ];
  for (const [request, parameters, holds] of requests) {
    const answer = await connection.sendRequest(request.type, parameters);
    assert(holds(answer), `${request.method}: ${JSON.stringify(answer)}`);
  }

  // An edit, its diagnostic, and a request that is cancelled.
  const range = { start: place.position, end: { ...place.position, character: place.position.character + 7 } };
  connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 }, contentChanges: [{ range, text: 'Alertd' }] });
  await connection.sendRequest(protocol.FoldingRangeRequest.type, place);
  const found = diagnostics.get(uri);
  assert.deepStrictEqual([found.version, found.diagnostics.map((each) => each.code)], [2, ['SEL029']]);
  const cancelled = new protocol.CancellationTokenSource();
  const answer = connection.sendRequest(protocol.HoverRequest.type, place, cancelled.token);
  cancelled.cancel();
  await answer.catch((error) => assert.strictEqual(error.code, protocol.LSPErrorCodes.RequestCancelled));

  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.strictEqual(await ended, 0);
  connection.dispose();
  console.log(`Node: ${requests.length} kinds of requests hold`);
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
