// The console reads the same key, so both have one colour scheme.
const storageKey = 'console.theme'

/** Shows the button that switches between light and dark. Without a choice the scheme of the device applies. */
export function startThemeButton(): void {
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
