export { findAccessibilityViolations } from './axe.ts'
export { type BrowserFleet, browserOwnerEmail, startBrowserFleet } from './browser-fleet.ts'
export {
  describeInChromium,
  type Form,
  findChromium,
  forms,
  openChromium,
  openPage,
  type WatchedPage,
} from './chromium.ts'
