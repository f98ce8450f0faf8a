/** Elements without readable content of the page itself. */
const ignoredElements = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'canvas', 'nav', 'iframe', 'object', 'embed'],
  ...['audio', 'video', 'map', 'dialog', 'select', 'button', 'datalist'],
])
const ignoredRoles = new Set(['navigation', 'search', 'menu', 'menubar'])

/** Elements that begin and end a line of their own. */
const blockElements = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'dd', 'details', 'div', 'dl', 'dt'],
  ...['fieldset', 'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header'],
  ...['hgroup', 'hr', 'html', 'legend', 'li', 'main', 'menu', 'ol', 'optgroup', 'option', 'p', 'pre', 'section'],
  ...['summary', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'],
])

export const isBlock = (name: string): boolean => blockElements.has(name)
export const isHeading = (name: string): boolean => /^h[1-6]$/.test(name)

/** Returns true for an element whose content is left out: scripts, navigation, hidden elements and the like. */
export function isIgnored(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (ignoredElements.has(name)) return true
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    ignoredRoles.has((attributes.role ?? '').toLowerCase())
  )
}
