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
