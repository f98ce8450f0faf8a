import { beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { Page } from '@wp/testkit/chromium'
import type { Keyboard, KeyboardUser } from '../fixture/keyboard.ts'
import { openWithin } from '../fixture/open-within.ts'

let user: KeyboardUser
let page: Page
let keyboard: Keyboard

/** Tests the tasks of an analyst. @param userOf returns the user of the suite, from the first test on */
export function describeAnalyst(userOf: () => KeyboardUser): void {
  describe('an analyst', () => {
    beforeAll(() => {
      user = userOf()
      ;({ page, keyboard } = user)
    })

    it('reviews, corrects and uploads a file', async () => {
      await open('data/new')
      // Asked for some steps ahead: the browser reports file choosers only once it has been told to.
      const chooser = page.waitForEvent('filechooser')
      await keyboard.tabTo(page.getByRole('button', { name: 'Choose files' }))
      await keyboard.press('Enter')
      await (await chooser).setFiles({
        name: 'rooms.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('room,seats\nA,4\n'),
      })
      await keyboard.expectFocus(page.getByRole('heading', { name: 'What this file is about' }))
      await keyboard.tabTo(page.getByRole('combobox', { name: 'Type of seats' }))
      await keyboard.type('Text')
      await page.getByRole('combobox', { name: 'How numbers of seats are written' }).waitFor({ state: 'detached' })
      await keyboard.activate(page.getByRole('button', { name: 'Upload 1 row' }))
      await page.getByText(/1 new/).first().waitFor()
      await keyboard.expectSomeFocus()
    })

    it('starts a forecast, reads the points of its chart, and shows them as a table', async () => {
      await open('forecasts')
      await keyboard.follow(page.getByRole('link', { name: 'New forecast' }).first())
      // The workspace has buildings, which are offered first.
      await keyboard.tabTo(page.getByRole('radio', { name: 'A building' }))
      await keyboard.press('ArrowDown', 'ArrowDown')
      await keyboard.tabTo(page.getByRole('combobox', { name: 'File' }))
      await keyboard.type('Office')
      await page.getByRole('combobox', { name: 'Value', exact: true }).waitFor()
      await keyboard.tabTo(page.getByRole('combobox', { name: 'Period' }))
      await keyboard.type('The next 14 days, by day')
      await keyboard.activate(page.getByRole('button', { name: 'Start forecast' }))
      await page.waitForURL(/forecasts\/fr_/)
      await keyboard.expectSomeFocus()
      const figure = page.getByRole('figure').first()
      const plot = figure.getByRole('application')
      // When the run has ended, the page changes.
      await plot.waitFor()
      await keyboard.tabTo(plot)
      await keyboard.press('Home')
      const first = await figure.locator('[aria-live]').textContent()
      await keyboard.press('ArrowRight', 'ArrowRight', 'ArrowLeft')
      expect(await figure.locator('[aria-live]').textContent()).not.toBe(first)
      await keyboard.press('ArrowLeft')
      expect(await figure.locator('[aria-live]').textContent()).toBe(first)
      await keyboard.press('+', 'Escape')
      await keyboard.tabBackTo(figure.getByRole('button', { name: 'Show as table' }))
      await keyboard.press('Enter')
      await keyboard.tabTo(figure.getByRole('region', { name: /^Values/ }))
      expect(await figure.getByRole('row').count()).toBeGreaterThan(14)
    })

    it('dismisses a recommendation, and takes it back', async () => {
      await open('recommendations')
      const cards = page.getByRole('article')
      await cards.first().waitFor()
      const before = await cards.count()
      await keyboard.activate(cards.first().getByRole('button', { name: 'Dismiss' }))
      await eventually(async () => (await cards.count()) === before - 1, { description: 'the card to disappear' })
      await keyboard.expectSomeFocus()
      await keyboard.press('F6')
      await keyboard.tabTo(page.getByRole('button', { name: 'Undo' }))
      await keyboard.press('Enter')
      await eventually(async () => (await cards.count()) === before, { description: 'the card to return' })
      await keyboard.expectSomeFocus()
    })

    it('runs an agent in the playground', async () => {
      await open(`agents/${user.filled.agentId}`)
      const question = page.getByRole('textbox', { name: 'Question' })
      await keyboard.fill(question, 'How many arrivals on Fridays?')
      await keyboard.press('Enter')
      await page.getByText('The answer is complete.').waitFor({ state: 'attached' })
      await keyboard.expectFocus(question)
      await keyboard.activate(page.getByRole('button', { name: 'Clear' }))
      await keyboard.expectSomeFocus()
    })
  })
}

const open = (path: string): Promise<void> => openWithin(page, user.fleet.address(path))
