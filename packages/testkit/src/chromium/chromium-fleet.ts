// Everything for pages in Chromium that needs no Jest, so that commands can use it.
export { findAccessibilityViolations } from './axe.ts'
export { type BrowserFleet, browserOwnerEmail, startBrowserFleet } from './browser-fleet.ts'
export { checkOpenPage, checkPage } from './check-page.ts'
export { type Form, findChromium, forms, openChromium, openPage, type WatchedPage, waitForContent } from './chromium.ts'
export { type ConsolePage, consolePages, countDeclaredPages } from './console-pages.ts'
export { type FilledWorkspace, fillWorkspace } from './fill-workspace.ts'
export { maxLayoutShift, measureLayoutShift } from './layout-shift.ts'
