import { describe } from '@jest/globals'
import { findChromium } from './chromium.ts'

/** Describes tests that need Chromium. Without it they are skipped, and the title says why. */
export function describeInChromium(title: string, tests: () => void): void {
  if (findChromium() === undefined) describe.skip(`${title} (skipped: no Chromium; set CHROMIUM to its path)`, tests)
  else describe(title, tests)
}
