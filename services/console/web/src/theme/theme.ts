/** The colour scheme a person chose; `system` follows the device. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const storageKey = 'console.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** Returns the stored choice of this browser. */
export function readThemeChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Stores a choice and applies it to the document. */
export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(storageKey, choice)
  applyTheme()
}

/** Applies the choice to the document now and whenever the scheme of the device changes. */
export function startTheme(): void {
  applyTheme()
  prefersDark.addEventListener('change', applyTheme)
}

function applyTheme(): void {
  const choice = readThemeChoice()
  const isDark = choice === 'dark' || (choice === 'system' && prefersDark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
