export type { Locator, Page } from 'playwright-core'
export * from './chromium-fleet.ts'
export { describeInChromium } from './describe-in-chromium.ts'
