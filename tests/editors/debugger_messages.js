// Messages of the debugger against the protocol's published types: node debugger_messages.js MESSAGES, where the packages
// @vscode/debugprotocol, ts-json-schema-generator and ajv are installed in the working folder and MESSAGES has a message a
// line, as debugger.py writes them.
const { readFileSync } = require('fs');
const installed = (name) => require.resolve(name, { paths: [process.cwd()] });
const { createGenerator } = require(installed('ts-json-schema-generator'));
const Ajv = require(installed('ajv')).default;

const types = installed('@vscode/debugprotocol/lib/debugProtocol.d.ts');
const { definitions } = createGenerator({ path: types, type: '*', skipTypeCheck: true, additionalProperties: false }).createSchema('*');
const ajv = new Ajv({ strict: false, allErrors: true });
const validators = new Map();

function validatorOf(name) {
  if (!validators.has(name)) {
    if (!definitions[name]) throw new Error(`the protocol has no ${name}`);
    validators.set(name, ajv.compile({ $ref: `#/definitions/${name}`, definitions }));
  }
  return validators.get(name);
}

function typeOf(message) {
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  if (message.type === 'event') return `DebugProtocol.${capital(message.event)}Event`;
  return message.success ? `DebugProtocol.${capital(message.command)}Response` : 'DebugProtocol.ErrorResponse';
}

const lines = readFileSync(process.argv[2], 'utf8').split('\n').filter((line) => line !== '');
for (const line of lines) {
  const name = typeOf(JSON.parse(line));
  const validate = validatorOf(name);
  if (!validate(JSON.parse(line))) {
    console.error(`no ${name}: ${line.slice(0, 2000)}\n${ajv.errorsText(validate.errors)}`);
    process.exit(1);
  }
}
console.log(`${lines.length} messages of ${validators.size} types are as the protocol has them`);
