const exampleBase = 'https://api.example.com'

/** Replaces the address in code by that of this installation, so that examples can be run as they are. */
export function insertBaseAddress(origin: string): void {
  for (const code of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.nodeValue?.includes(exampleBase)) node.nodeValue = node.nodeValue.replaceAll(exampleBase, origin)
  }
}

const shownMs = 1_500

/** Shows the buttons that copy the visible code of a group. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const panels = button.closest('.code')?.querySelectorAll('pre') ?? []
      const visible = [...panels].find((panel) => panel.closest('[hidden]') === null)
      const copied = await navigator.clipboard.writeText(visible?.textContent ?? '').then(
        () => true,
        () => false,
      )
      button.textContent = copied ? 'Copied' : 'Not copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, shownMs)
    })
  }
}

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

/** Marks the link of the part that is being read in the contents of the page. */
export function startContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')]
  const parts = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return heading === null ? [] : [{ link, heading }]
  })
  if (parts.length === 0) return
  const mark = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = parts.filter(({ heading }) => heading.getBoundingClientRect().top < readingLinePx)
    const current = isAtEnd ? parts.at(-1) : (passed.at(-1) ?? parts[0])
    for (const part of parts) part.link.toggleAttribute('data-current', part === current)
  }
  mark()
  addEventListener('scroll', mark, { passive: true })
}

/** Distance from the top of the window at which a part counts as being read. */
const readingLinePx = 120
