import { open, shot, saveState, browser, base, step, text, mails, signIn } from './lib.tmp.ts'
const page = await open({ fresh: true })
await step('wrong code', async () => {
  await page.goto(base + '/console/'); await shot(page, '01-signin')
  await page.getByLabel('Email').fill('owner@example.com'); await page.getByRole('button', { name: 'Send a code' }).click(); await page.getByLabel('Code').waitFor()
  await page.getByLabel('Code').fill('000000'); await page.waitForTimeout(1500); await shot(page, '01-wrong-code'); return text(page)
})
await step('resend', async () => { const n = (await mails()).length; const b = page.getByRole('button', { name: /again|resend|new code/i }); const r = await b.allInnerTexts(); await b.first().click(); await page.waitForTimeout(1500); await shot(page, '01-resend'); return [r, (await mails()).length - n, await text(page)] })
await step('in', async () => { await signIn(page); await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' }); await saveState(page); return page.url() })
await step('home', async () => { await page.waitForTimeout(3000); await shot(page, '02-home'); return [await text(page, 'main', 2500), await page.locator('nav a').evaluateAll((a) => a.map((e) => (e as any).textContent + ' ' + (e as HTMLAnchorElement).pathname.replace(/.*ws_[^/]+/, '')))] })
await browser.close()
