import type { Result, Search } from './search.ts'

/** Makes the search work: Ctrl-K, Command-K and / open it. Its code and index are loaded when it is opened first. */
export function startSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search')
  const button = document.querySelector<HTMLButtonElement>('.search-button')
  const input = dialog?.querySelector('input')
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]')
  const state = dialog?.querySelector<HTMLElement>('.search-state')
  if (!dialog || !button || !input || !list || !state) return
  if (/Mac|iPhone|iPad/.test(navigator.userAgent))
    for (const key of button.querySelectorAll('kbd')) key.textContent = '⌘ K'
  button.hidden = false

  const results = createResultList(input, list)
  let search: Search | undefined
  const show = () => {
    const query = input.value.trim()
    const found = query === '' || search === undefined ? [] : search(query)
    results.show(found, query)
    state.textContent = describe(query, found.length, search !== undefined)
  }
  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    show()
    loadSearch().then(
      (loaded) => {
        search = loaded
        show()
      },
      () => {
        state.textContent = 'The search could not be loaded. Check the connection and open it again.'
      },
    )
  }
  button.addEventListener('click', open)
  dialog.querySelector('.search-close')?.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => results.onKey(event))
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut && !(event.key === '/' && !isTyping(event.target))) return
    event.preventDefault()
    open()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function describe(query: string, count: number, isLoaded: boolean): string {
  if (!isLoaded) return 'Loading …'
  if (query === '') return 'Type to search guides, operations, errors and event kinds.'
  if (count === 0) return `Nothing found for “${query}”.`
  return count === 1 ? '1 result' : `${count} results`
}

/** A failed load is tried again when the search is opened next. */
async function loadSearch(): Promise<Search> {
  const { createSearch } = await import('./search.ts')
  return await createSearch(document.documentElement.dataset.index ?? '')
}

/** The results below the search field (WAI-ARIA APG, "Combobox"): the focus stays in the field. */
interface ResultList {
  show(results: readonly Result[], query: string): void
  onKey(event: KeyboardEvent): void
}

function createResultList(input: HTMLInputElement, list: HTMLElement): ResultList {
  let options: HTMLAnchorElement[] = []
  let selected = -1

  function select(index: number): void {
    selected = index
    for (const [position, option] of options.entries()) option.setAttribute('aria-selected', String(position === index))
    const current = options[index]
    input.setAttribute('aria-activedescendant', current?.id ?? '')
    current?.scrollIntoView({ block: 'nearest' })
  }

  return {
    show(results, query) {
      options = results.map((result, index) => renderResult(result, index, query))
      list.replaceChildren(...options)
      input.setAttribute('aria-expanded', String(options.length > 0))
      select(options.length > 0 ? 0 : -1)
    },
    onKey(event) {
      const { length } = options
      if (event.key === 'ArrowDown' && length > 0) select((selected + 1) % length)
      else if (event.key === 'ArrowUp' && length > 0) select((selected - 1 + length) % length)
      else if (event.key === 'Enter') options[selected]?.click()
      else return
      event.preventDefault()
    },
  }
}

function renderResult(
  { address, title, page, section, excerpt }: Result,
  index: number,
  query: string,
): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = address
  link.id = `result-${index}`
  link.setAttribute('role', 'option')
  link.tabIndex = -1
  link.addEventListener('click', () => link.closest('dialog')?.close())
  const heading = createPart('strong', title, query)
  const place = document.createElement('small')
  place.textContent = page === '' ? section : `${section} · ${page}`
  link.append(heading, place, createPart('span', excerpt, query))
  return link
}

/** Marks the words of the query in a text. */
function createPart(tag: string, text: string, query: string): HTMLElement {
  const element = document.createElement(tag)
  const words = query.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pieces = text.split(new RegExp(`(${words.join('|')})`, 'iu'))
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) element.append(piece)
    else element.append(Object.assign(document.createElement('mark'), { textContent: piece }))
  }
  return element
}
