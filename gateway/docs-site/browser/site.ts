import { insertBaseAddress, startContents, startCopyButtons, startTabs } from './article.ts'
import { startSearch } from './search/search-dialog.ts'

// The console reads the same key, so both have one colour scheme.
const storageKey = 'console.theme'

insertBaseAddress(location.origin)
startTabs()
startCopyButtons()
startThemeButton()
startDrawer()
startContents()
startSearch()

/** Makes the navigation a drawer on narrow screens, and shows the link of the current page on all. */
function startDrawer(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu')
  const navigation = document.getElementById('navigation')
  if (button === null || navigation === null) return
  button.hidden = false
  const setOpen = (isOpen: boolean) => {
    document.documentElement.dataset.drawer = isOpen ? 'open' : 'closed'
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) (navigation.querySelector<HTMLElement>('[aria-current]') ?? navigation.querySelector('a'))?.focus()
  }
  const isOpen = () => button.getAttribute('aria-expanded') === 'true'
  button.addEventListener('click', () => setOpen(!isOpen()))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    setOpen(false)
    button.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (isOpen() && target instanceof Node && !navigation.contains(target) && !button.contains(target)) setOpen(false)
  })
  const current = navigation.querySelector<HTMLElement>('[aria-current]')
  if (current !== null && current.offsetTop > navigation.clientHeight - 80)
    navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2
}

/** Shows the button that switches between light and dark. Without a choice the scheme of the device applies. */
function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme')
  if (button === null) return
  const { dataset } = document.documentElement
  const describe = () =>
    button.setAttribute('aria-label', dataset.theme === 'dark' ? 'Use light colours' : 'Use dark colours')
  button.hidden = false
  describe()
  button.addEventListener('click', () => {
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
    localStorage.setItem(storageKey, dataset.theme)
    describe()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (localStorage.getItem(storageKey) === null) dataset.theme = matches ? 'dark' : 'light'
    describe()
  })
}
