// Opens what VS Code shows in the panel of a picture, within a page as VS Code has: picture.mjs CHROMIUM, in the folder of picture.html,
// a picture of samples/guard.
import { readFileSync, writeFileSync } from 'node:fs';
import { check, end, faults, launch, open, violations } from './opened.mjs';

// What VS Code adds to each page: styles, and how the page speaks with the extension.
const kAdded = `<style>body { background-color: transparent; color: #cccccc; font: 13px/1.4 serif; margin: 0; padding: 0 20px }
a, a code { color: #3794ff } code { font-family: serif; color: #d7ba7d; background-color: #333333; padding: 1px 3px }
kbd { background-color: #777777; color: #cccccc; box-shadow: inset 0 -1px 0 #000000 }</style>
<script>globalThis.told = []; globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => told.push(message) }); window.parent = window; window.top = window;</script>`;
const page = readFileSync('picture.html', 'utf8').replace('<head>', '<head>' + kAdded);
writeFileSync('panel.html', `<!DOCTYPE html><html lang="en"><title>panel</title><link rel="icon" href="data:,"><body style="margin: 0; overflow: hidden">
<iframe title="picture" sandbox="allow-same-origin allow-scripts allow-forms" style="border: 0; width: 100vw; height: 100vh"></iframe></body></html>`);

const browser = await launch(process.argv[2]);
const panel = await open(browser, 'panel.html', { width: 760, height: 800 });
await panel.evaluate((text) => { document.querySelector('iframe').srcdoc = text; }, page);
const picture = await (await panel.waitForSelector('iframe')).contentFrame();
await picture.waitForSelector('.node');
const theme = () => picture.evaluate(() => document.documentElement.dataset.theme);
const chosen = () => picture.$eval('.node.chosen .name', (one) => one.textContent.trim());
const expect = (actual, expected) => check(actual === expected, `${actual}, not ${expected}`);

expect(await theme(), 'dark');
expect(await picture.evaluate(() => document.querySelector('header').getBoundingClientRect().left), 0);
await picture.click('.node[data-node="2"] .box');
expect(await chosen(), 'Search');
expect(await picture.evaluate(() => told.map(({ place }) => `${place.file}:${place.line}`).join()), 'guard.xml:23');
expect(await picture.$eval('#source h2', (one) => getComputedStyle(one).fontFamily.includes('serif') && !getComputedStyle(one).fontFamily.startsWith('serif')), true);
expect(await picture.$eval('#details code', (one) => getComputedStyle(one).backgroundColor), 'rgba(0, 0, 0, 0)');
await panel.screenshot({ path: 'panel-dark.png' });
for (const violation of await violations(picture)) check(false, violation);
// As the extension tells it.
const tell = (message) => picture.evaluate((words) => window.postMessage(words, '*'), message);
await tell({ place: { file: 'guard.xml', line: 24 } });
await picture.waitForFunction(() => document.querySelector('.node.chosen .name').textContent.includes('Patrol'));
expect(await picture.evaluate('told.length'), 1);
await tell({ theme: 'light' });
await picture.waitForFunction(() => document.documentElement.dataset.theme === 'light');
await tell({ place: { file: 'other.xml', line: 3 } });
await picture.evaluate(() => document.querySelector('.node.chosen').focus());
await panel.keyboard.press('ArrowUp');
expect(await chosen(), 'Search');
await panel.keyboard.press('?');
check(await picture.$eval('#keys', (keys) => keys.open), 'the keys are told');
await panel.screenshot({ path: 'panel-light.png' });
check(faults.length === 0);
await browser.close();
end('the picture in an editor');
