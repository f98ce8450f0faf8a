export { findAccessibilityViolations } from './axe.ts'
export { type BrowserFleet, browserOwnerEmail, startBrowserFleet } from './browser-fleet.ts'
export {
  describeInChromium,
  type Form,
  findChromium,
  forms,
  openPage,
  type WatchedPage,
  waitForContent,
} from './chromium.ts'
export { type ConsolePage, consolePages, countDeclaredPages } from './console-pages.ts'
export { type FilledWorkspace, fillWorkspace } from './fill-workspace.ts'
