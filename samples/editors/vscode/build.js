// What `vsce package` runs first: bundles the extension with what it requires into out/extension.js, and copies the JSON schemas and
// the licence from where the project keeps them, so that the packed extension has all that it needs.
const { buildSync } = require('esbuild');
const { copyFileSync, mkdirSync } = require('fs');
const { join } = require('path');

const top = join(__dirname, '..', '..', '..');
buildSync({
  entryPoints: [join(__dirname, 'extension.js')], outfile: join(__dirname, 'out', 'extension.js'), bundle: true, platform: 'node',
  target: 'node16', external: ['vscode'], logLevel: 'warning' });
mkdirSync(join(__dirname, 'schemas'), { recursive: true });
for (const name of ['configuration', 'properties', 'trace']) {
  const file = `${name}.schema.json`;
  copyFileSync(join(top, 'schemas', file), join(__dirname, 'schemas', file));
}
copyFileSync(join(top, 'LICENSE'), join(__dirname, 'LICENSE'));
