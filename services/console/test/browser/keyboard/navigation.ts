import { beforeAll, describe, expect, it } from '@jest/globals'
import { type BrowserFleet, browserOwnerEmail, type Page } from '@wp/testkit/chromium'
import { type Keyboard, type KeyboardUser, useKeyboard } from '../fixture/keyboard.ts'

let fleet: BrowserFleet
let page: Page
let keyboard: Keyboard
let workspaceName: string

const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const main = () => page.getByRole('main')

/** Tests the frame around the pages. @param userOf returns the user of the suite, from the first test on */
export function describeNavigation(userOf: () => KeyboardUser): void {
  describe('a member', () => {
    beforeAll(async () => {
      fleet = userOf().fleet
      page = (await fleet.open()).page
      keyboard = useKeyboard(page)
      workspaceName = (await fleet.api('GET', '/v1/system/workspace')).name
    })

    it('signs in: the fields have the focus in turn', async () => {
      await page.goto('/console/')
      await keyboard.expectFocus(page.getByLabel('Email'))
      await keyboard.type(browserOwnerEmail)
      const code = await fleet.nextCode(browserOwnerEmail, () => keyboard.press('Enter'))
      await keyboard.expectFocus(page.getByLabel('Code'))
      await keyboard.type(code)
      await heading(workspaceName).waitFor()
    })

    it('skips the navigation', async () => {
      await page.reload()
      await heading(workspaceName).waitFor()
      const skip = page.getByRole('link', { name: 'Skip to content' })
      await keyboard.press('Tab')
      await keyboard.expectFocus(skip)
      expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0)
      await keyboard.press('Enter', 'Tab')
      await keyboard.expectFocusWithin(main())
    })

    it('opens pages from the navigation, and by g with a second key, and moves the focus to them', async () => {
      await page.reload()
      await heading(workspaceName).waitFor()
      const navigation = page.getByRole('navigation', { name: 'Main' })
      await keyboard.activate(navigation.getByRole('link', { name: 'Webhooks' }))
      await heading('Webhooks').waitFor()
      await keyboard.expectFocus(main())
      for (const [key, name] of [
        ['d', 'Data'],
        ['f', 'Forecasts'],
        ['m', 'Members'],
        ['h', workspaceName],
      ] as const) {
        await keyboard.press('g', key)
        await heading(name).waitFor()
        await keyboard.expectFocus(main())
      }
    })

    it('opens pages by their keys also while a check box has the focus', async () => {
      await keyboard.press('g', 'k')
      await heading('Developer').waitFor()
      await keyboard.press('g', 'w')
      await heading('Webhooks').waitFor()
      await keyboard.follow(main().getByRole('link', { name: 'Deliveries' }))
      await keyboard.tabTo(page.getByRole('checkbox', { name: 'Live tail' }))
      await keyboard.press('g', 'h')
      await heading(workspaceName).waitFor()
    })

    it('opens the tabs of a page', async () => {
      await keyboard.press('g', 'k')
      await heading('Developer').waitFor()
      await keyboard.follow(main().getByRole('link', { name: 'Requests' }))
      await page.waitForURL(/developer\/requests/)
    })

    it('opens the command palette, finds a page, and returns the focus on Escape', async () => {
      const search = page.getByRole('button', { name: 'Search or jump to' })
      const palette = page.getByRole('dialog', { name: 'Search and commands' })
      const input = palette.getByRole('combobox')
      await keyboard.activate(search)
      await keyboard.expectFocus(input)
      await keyboard.press('Escape')
      await palette.waitFor({ state: 'detached' })
      await keyboard.expectFocus(search)
      await keyboard.press('Control+k')
      await keyboard.expectFocus(input)
      await keyboard.type('audit')
      await keyboard.press('ArrowDown', 'ArrowUp')
      const chosen = palette.getByRole('option', { selected: true })
      expect(await chosen.textContent()).toContain('Audit log')
      expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
      await keyboard.press('Enter')
      await heading('Audit log').waitFor()
      await keyboard.expectFocus(main())
    })

    it('lists its keys, and returns the focus when the list is closed', async () => {
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })
      await keyboard.tabBackTo(link)
      await keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keyboard' })
      await keyboard.expectFocusWithin(help)
      await keyboard.press('Escape')
      await keyboard.expectFocus(link)
    })

    it('walks through the menu of the user', async () => {
      const button = page.getByRole('button', { name: browserOwnerEmail })
      await keyboard.activate(button)
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Profile' }))
      await keyboard.press('ArrowDown')
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Keyboard shortcuts' }))
      await keyboard.press('End')
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Sign out' }))
      await keyboard.press('Escape')
      await keyboard.expectFocus(button)
      await keyboard.press('Enter')
      await keyboard.type('dark')
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Dark' }))
      await keyboard.press('Enter')
      await page.locator('html[data-theme=dark]').waitFor()
      await keyboard.expectFocus(button)
    })

    it('creates a workspace from the switcher, and switches back', async () => {
      const switcher = page.locator('aside').getByRole('button').first()
      await keyboard.tabBackTo(switcher)
      await keyboard.press('Enter')
      await keyboard.expectFocusWithin(page.getByRole('menu'))
      await keyboard.press('End')
      await keyboard.expectFocus(page.getByRole('menuitem', { name: 'Create a workspace' }))
      await keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Create a workspace' })
      await keyboard.expectFocusWithin(dialog)
      await keyboard.press('Escape')
      await keyboard.expectFocus(switcher)
      await keyboard.press('Enter')
      await keyboard.expectFocusWithin(page.getByRole('menu'))
      await keyboard.press('End', 'Enter')
      await keyboard.expectFocusWithin(dialog)
      await keyboard.fill(dialog.getByLabel('Name'), 'Branch office')
      await keyboard.press('Enter')
      await page.waitForURL(({ pathname }) => /ws_/.test(pathname) && !pathname.includes(fleet.workspaceId))
      await page.locator('aside').getByRole('button', { name: 'Branch office' }).waitFor()
      await keyboard.expectSomeFocus()
      await keyboard.tabTo(switcher)
      await keyboard.press('Enter')
      await keyboard.expectFocusWithin(page.getByRole('menu'))
      await keyboard.type(workspaceName.slice(0, 4))
      await keyboard.press('Enter')
      await page.waitForURL(({ pathname }) => pathname.includes(fleet.workspaceId))
      await keyboard.expectSomeFocus()
    })
  })
}
