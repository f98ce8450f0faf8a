import { forms, type WatchedPage, waitForContent } from './chromium.ts'

/** The most that the elements of a page may move while it loads. */
export const maxLayoutShift = 0.01

/** Expression of the sum of the layout shifts that no input caused since the page began to load. */
const sumLayoutShifts = `new Promise((resolve) =>
  new PerformanceObserver((list) =>
    resolve(list.getEntries().reduce((sum, { hadRecentInput, value }) => sum + (hadRecentInput ? 0 : value), 0)),
  ).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(resolve, 500, 0))`

/** Loads a page in a form and returns how much its elements move while it loads. */
export async function measureLayoutShift(
  { page }: WatchedPage,
  address: string,
  form: 'light' | 'narrow',
  skeletons?: 'replaced' | 'kept',
): Promise<number> {
  await page.setViewportSize(forms[form].viewport)
  await page.goto(address)
  await waitForContent(page, skeletons)
  return Number(await page.evaluate(sumLayoutShifts))
}
