// The debugger with the client of npm's @vscode/debugadapter-testsupport: node debugger_client.js ESPALIER FOLDER, where the
// package is installed in the working folder and FOLDER has guard.xml and intruder.trace.jsonl.
const [espalier, folder] = process.argv.slice(2);
const { DebugClient } = require(require.resolve('@vscode/debugadapter-testsupport', { paths: [process.cwd()] }));
const assert = require('assert');

const run = (more) => ({ project: `${folder}/guard.xml`, trace: `${folder}/intruder.trace.jsonl`, ...more });
const line = 1 + require('fs').readFileSync(`${folder}/guard.xml`, 'utf8').split('\n').findIndex((text) => text.includes('name="Attack"'));

async function moved(client, request) {
  const [stopped] = await Promise.all([client.waitForEvent('stopped'), request({ threadId: 1 })]);
  return stopped.body;
}

async function main() {
  const client = new DebugClient(espalier, 'dap', 'espalier');
  await client.start();
  await client.hitBreakpoint(run({ stopOnEntry: false }), { path: `${folder}/guard.xml`, line });
  const { threads } = (await client.threadsRequest()).body;
  assert.deepStrictEqual(threads, [{ id: 1, name: 'agent 0 (Guard)' }]);
  assert.match((await moved(client, (thread) => client.stepBackRequest(thread))).description, /^Patrol begins at 0.1 s$/);
  await Promise.all([client.continueRequest({ threadId: 1 }), client.assertStoppedLocation('breakpoint', { line })]);
  const { dataId } = (await client.dataBreakpointInfoRequest({ name: 'Alerted' })).body;
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: 'write' }] });
  assert.strictEqual((await moved(client, (thread) => client.reverseContinueRequest(thread))).reason, 'data breakpoint');
  assert.strictEqual((await moved(client, (thread) => client.reverseContinueRequest(thread))).reason, 'entry');
  await client.stop();

  const other = new DebugClient(espalier, 'dap', 'espalier');
  await other.start();
  await Promise.all([other.configurationSequence(), other.launch(run({})), other.waitForEvent('stopped')]);
  assert.strictEqual((await moved(other, (thread) => other.continueRequest(thread))).reason, 'end');
  await Promise.all([other.continueRequest({ threadId: 1 }), other.waitForEvent('terminated')]);
  await other.stop();
  console.log('all answers of the debugger hold');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
