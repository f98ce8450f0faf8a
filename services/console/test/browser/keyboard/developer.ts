import { beforeAll, describe, expect, it } from '@jest/globals'
import { browserOwnerEmail, type Locator, type Page } from '@wp/testkit/chromium'
import type { Keyboard, KeyboardUser } from '../fixture/keyboard.ts'
import { openWithin } from '../fixture/open-within.ts'

let user: KeyboardUser
let page: Page
let keyboard: Keyboard

/** Tests the tasks of a developer. @param userOf returns the user of the suite, from the first test on */
export function describeDeveloper(userOf: () => KeyboardUser): void {
  describe('a developer', () => {
    beforeAll(() => {
      user = userOf()
      ;({ page, keyboard } = user)
    })

    it('creates a service principal, and closes the dialog of its secret', async () => {
      await open('developer')
      const create = page.getByRole('button', { name: 'Create service principal' }).first()
      await keyboard.activate(create)
      const form = page.getByRole('dialog', { name: 'Create a service principal' })
      await keyboard.expectFocus(form.getByLabel('Name'))
      await keyboard.press('Escape')
      await keyboard.expectFocus(create)
      await keyboard.press('Enter')
      await keyboard.expectFocus(form.getByLabel('Name'))
      await keyboard.type('Badge importer')
      await keyboard.activate(form.getByRole('button', { name: 'Read only' }))
      await keyboard.tabTo(form.getByRole('button', { name: 'Clear' }))
      await keyboard.press('Enter')
      await keyboard.expectFocusWithin(form)
      await keyboard.activate(form.getByLabel('data:read', { exact: false }).first(), ' ')
      await keyboard.activate(form.getByRole('button', { name: 'Create service principal' }))
      await storeSecret(page.getByRole('dialog', { name: 'Badge importer is ready' }))
      await keyboard.expectFocus(create)
    })

    it('deletes a service principal that it has selected', async () => {
      await open('developer')
      const row = page.getByRole('checkbox', { name: 'Select Badge importer' })
      await keyboard.activate(row, ' ')
      const bar = page.getByRole('region', { name: 'Selected rows' })
      await keyboard.tabBackTo(bar.getByRole('button', { name: 'Delete' }))
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Delete 1 service principal' })
      await keyboard.activate(dialog.getByRole('button', { name: 'Delete 1 service principal' }))
      await dialog.waitFor({ state: 'detached' })
      await row.waitFor({ state: 'detached' })
      await keyboard.expectFocusWithin(page.getByRole('main'))
    })

    it('opens the menu of a row, and returns to it from the dialog behind', async () => {
      await open('members')
      const menu = page.getByRole('button', { name: /^Actions of/ }).first()
      await keyboard.activate(menu)
      const entry = page.getByRole('menuitem').first()
      await keyboard.expectFocus(entry)
      await keyboard.press('Enter')
      // Not that of a message about the test before.
      const dialog = page.locator('[role=dialog]:not([data-type])')
      await keyboard.expectFocusWithin(dialog)
      await keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await keyboard.expectFocus(menu)
    })

    it('adds a webhook for chosen events', async () => {
      await open('webhooks')
      await keyboard.follow(page.getByRole('link', { name: 'Add webhook' }))
      await keyboard.fill(page.getByRole('textbox', { name: 'Endpoint' }), user.fleet.receiver.url('/chosen'))
      await keyboard.fill(page.getByLabel('Description'), 'Chosen events')
      // Nothing is chosen at first; the arrows move between “all” and “chosen”.
      await keyboard.tabTo(page.getByRole('radio', { name: 'Chosen events' }))
      await keyboard.press('ArrowLeft')
      expect(await page.getByRole('radio', { name: 'All events' }).isChecked()).toBe(true)
      await keyboard.press('ArrowRight')
      await keyboard.fill(page.getByRole('searchbox', { name: /event/i }), 'forecasting_finished')
      await keyboard.activate(page.getByRole('checkbox', { name: 'FORECASTING_FINISHED' }), ' ')
      const filter = { all: { status: 'finished' } }
      await keyboard.fill(page.getByRole('textbox', { name: /^Filter/ }), JSON.stringify(filter))
      await keyboard.tabTo(page.getByRole('combobox', { name: 'Authentication at the endpoint' }))
      await keyboard.type('User')
      await keyboard.fill(page.getByLabel('User name', { exact: true }), 'ada')
      await keyboard.fill(page.getByLabel('Password', { exact: true }), 'a password')
      await keyboard.fill(page.getByRole('textbox', { name: /^Rate limit/ }), '20')
      await keyboard.activate(page.getByRole('button', { name: 'Add webhook' }))
      await closeSecret(page.getByRole('dialog', { name: 'The webhook is ready' }))
      await page.waitForURL(/webhooks\/wh/)
      await keyboard.expectSomeFocus()
      const webhooks = await user.fleet.api('GET', '/v1/webhooks/webhooks')
      expect(webhooks).toContainEqual(
        expect.objectContaining({
          description: 'Chosen events',
          events: ['FORECASTING_FINISHED'],
          filter,
          rate_limit: 20,
          authentication: { type: 'basic', username: 'ada' },
        }),
      )
    })

    it('filters deliveries, opens one and sends it again', async () => {
      await open('webhooks/deliveries')
      await keyboard.tabTo(page.getByRole('combobox', { name: 'Status' }))
      await keyboard.type('delivered')
      await page.waitForURL(/status=delivered/)
      await keyboard.expectFocus(page.getByRole('combobox', { name: 'Status' }))
      await keyboard.activate(page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first())
      const resend = page.getByRole('button', { name: 'Resend' })
      await keyboard.activate(resend)
      const dialog = page.getByRole('dialog', { name: /^Resend/ })
      await keyboard.expectFocusWithin(dialog)
      await keyboard.press('Escape')
      await keyboard.expectFocus(resend)
      await keyboard.press('Enter')
      await keyboard.activate(dialog.getByRole('button', { name: /^Resend/ }))
      await page.getByText('Resent 1 delivery').first().waitFor()
      await dialog.waitFor({ state: 'detached' })
      await keyboard.expectSomeFocus()
    })

    it('selects deliveries and sends them again', async () => {
      await open('webhooks/deliveries?status=delivered')
      const table = page.getByRole('table', { name: 'Deliveries' })
      await keyboard.activate(table.getByRole('checkbox', { name: /^Select all/ }), ' ')
      const bar = page.getByRole('region', { name: 'Selected rows' })
      await keyboard.tabBackTo(bar.getByRole('button', { name: 'Clear' }))
      await keyboard.press('Enter')
      await bar.waitFor({ state: 'detached' })
      await keyboard.expectSomeFocus()
      await keyboard.activate(table.getByRole('checkbox').nth(1), ' ')
      await keyboard.tabBackTo(bar.getByRole('button', { name: 'Resend 1 delivery' }))
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Resend 1 delivery' })
      await keyboard.activate(dialog.getByRole('button', { name: /^Resend/ }))
      await dialog.waitFor({ state: 'detached' })
      await keyboard.expectSomeFocus()
    })

    it('rotates a secret from the menu, after it has confirmed by a code', async () => {
      await user.fleet.ageSignIns()
      await open(`webhooks/${user.filled.webhookId}`)
      const menu = page.getByRole('button', { name: /^Actions of/ })
      await keyboard.activate(menu)
      // Keys before the menu has opened have no effect.
      await keyboard.expectFocus(page.getByRole('menuitem').first())
      await keyboard.press('ArrowDown', 'ArrowDown')
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Rotate the secret' }))
      await keyboard.press('Enter')
      const rotation = page.getByRole('dialog', { name: /^Rotate the secret/ })
      await keyboard.expectFocusWithin(rotation)
      await keyboard.press('Escape')
      await rotation.waitFor({ state: 'detached' })
      await keyboard.expectFocus(menu)
      await keyboard.press('Enter')
      await keyboard.expectFocus(page.getByRole('menuitem').first())
      await keyboard.press('ArrowDown', 'ArrowDown', 'Enter')
      await keyboard.tabTo(rotation.getByRole('radio', { checked: true }))
      await keyboard.press('ArrowDown')
      await keyboard.activate(rotation.getByRole('button', { name: 'Rotate secret' }))
      const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await keyboard.expectFocusWithin(confirmation)
      const code = await user.fleet.nextCode(browserOwnerEmail, () =>
        keyboard.activate(confirmation.getByRole('button', { name: 'Send a code' })),
      )
      await keyboard.expectFocus(confirmation.getByLabel('Code'))
      await keyboard.type(code)
      await closeSecret(page.getByRole('dialog', { name: 'The new secret' }))
      await keyboard.expectFocus(menu)
    })
  })
}

const open = (path: string): Promise<void> => openWithin(page, user.fleet.address(path))

/** Confirms in the dialog of a secret, which Escape does not close, that the secret is stored, and closes it. */
async function storeSecret(dialog: Locator): Promise<void> {
  await keyboard.expectFocusWithin(dialog)
  await keyboard.press('Escape')
  await keyboard.activate(dialog.getByRole('checkbox', { name: /^I have stored/ }), ' ')
  await keyboard.activate(dialog.getByRole('button', { name: 'Close' }))
  await dialog.waitFor({ state: 'detached' })
}

/** Closes the dialog of a secret that can be revealed again. */
async function closeSecret(dialog: Locator): Promise<void> {
  await keyboard.expectFocusWithin(dialog)
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}
