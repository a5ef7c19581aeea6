// The steps of live.py: live.mjs CHROMIUM ADDRESS PROCESS, while a program is watched by this process.
import { check, checked, faults, launch } from './opened.mjs';

const [, , chromium, address, espalier] = process.argv;
const browser = await launch(chromium);

const page = await browser.newPage();
await page.setViewport({ width: 1400, height: 860 });
page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()); });
page.on('pageerror', (error) => faults.push(error.message));
page.on('request', (request) => { if (!request.url().startsWith(address)) faults.push(`asks for ${request.url()}`); });
await page.goto(address);
const rows = () => page.evaluate(() => replay.count);
const now = () => page.evaluate(() => replay.now);
const waitFor = (condition, ...words) => page.waitForFunction(condition, { timeout: 20000 }, ...words);

await waitFor(() => document.getElementById('live').textContent === 'live');
await waitFor(() => replay.count > 5);
const before = await rows();
await waitFor((count) => replay.count > count, before);
check(await page.evaluate(() => replay.now === replay.shown.length - 1), 'who looks at the last line stays there');
check(await page.$$eval('.node.mark-running.now', (all) => all.length) > 1, 'the running branch is lit');
check((await page.$eval('#trees', (list) => list.selectedOptions[0].textContent)).startsWith('Patrol'), 'the tree that runs is shown');
check((await page.$eval('#variables', (one) => one.textContent)).includes('chase/label'), 'entries are shown');
await page.screenshot({ path: 'live.png' });
await page.keyboard.press('Home');
check(await now() === 0, 'Home goes to the first line');
const count = await rows();
await waitFor((known) => replay.count > known, count);
check(await now() === 0, 'who looks back is left there');
await page.keyboard.press('End');
check(await page.evaluate(() => replay.now === replay.shown.length - 1), 'End goes to the last line');
// A question of the page that has no answer is what the end of espalier means; before, it is a fault.
const before_end = [...faults];
process.kill(Number(espalier), 'SIGTERM');  // a shell lets what runs in the background ignore SIGINT
await waitFor(() => document.getElementById('live').textContent === 'not connected');
check(await page.$$eval('.line', (all) => all.length) > 0, 'what was told stays when espalier has ended');
await browser.close();
const has_no_answer = (fault) => ['ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_RESET', 'ERR_EMPTY_RESPONSE'].some((each) => fault.includes(each));
const told = [...before_end, ...faults.slice(before_end.length).filter((fault) => !has_no_answer(fault))];
for (const fault of told) console.log(fault);
if (told.length > 0) process.exit(1);
console.log(`${checked()} statements about the live page hold`);
