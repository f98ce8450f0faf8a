import type { Result } from './search.ts'

/** The results below the search field (WAI-ARIA APG, "Combobox"): the focus stays in the field. */
export interface ResultList {
  show(results: readonly Result[], query: string): void
  onKey(event: KeyboardEvent): void
}

export function createResultList(input: HTMLInputElement, list: HTMLElement): ResultList {
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
