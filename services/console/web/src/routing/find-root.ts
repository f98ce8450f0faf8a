/** Returns the element that the pages are rendered into. */
export function findRoot(): HTMLElement {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root element')
  return root
}
