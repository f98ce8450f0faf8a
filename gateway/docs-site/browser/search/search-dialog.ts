import { createResultList } from './result-list.ts'
import type { Search } from './search.ts'

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
