const storageKey = 'docs.language'

/** Makes tab lists work (WAI-ARIA APG, "Tabs"). A chosen language applies to all lists and is remembered. */
export function startTabs(): void {
  const lists = [...document.querySelectorAll<HTMLElement>('[role=tablist]')]
  for (const list of lists) {
    list.addEventListener('click', ({ target }) => {
      const tab = target instanceof Element ? target.closest<HTMLElement>('[role=tab]') : null
      if (tab !== null) chooseLanguage(lists, tab)
    })
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      const tabs = tabsOf(list)
      const next = tabs.at((tabs.findIndex(isSelected) + step) % tabs.length)
      if (next === undefined) return
      event.preventDefault()
      chooseLanguage(lists, next)
      next.focus()
    })
  }
  const stored = localStorage.getItem(storageKey)
  if (stored !== null) for (const list of lists) selectLanguage(list, stored)
}

/** Other code above must not move the one that was clicked. */
function chooseLanguage(lists: readonly HTMLElement[], tab: HTMLElement): void {
  const language = tab.dataset.language ?? ''
  localStorage.setItem(storageKey, language)
  const before = tab.getBoundingClientRect().top
  for (const list of lists) selectLanguage(list, language)
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

function selectLanguage(list: HTMLElement, language: string): void {
  const tabs = tabsOf(list)
  if (!tabs.some((tab) => tab.dataset.language === language)) return
  for (const tab of tabs) {
    const selected = tab.dataset.language === language
    tab.setAttribute('aria-selected', String(selected))
    tab.tabIndex = selected ? 0 : -1
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
    if (panel !== null) panel.hidden = !selected
  }
}

const tabsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role=tab]')]
const isSelected = (tab: HTMLElement) => tab.getAttribute('aria-selected') === 'true'
