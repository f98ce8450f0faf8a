import { type Html, html } from '../html.ts'

/** A link of the navigation. */
export interface NavLink {
  path: string
  label: string
  /** Method of an operation. */
  method?: string
}

/** A group of links. */
export interface NavGroup {
  label: string
  links: readonly NavLink[]
  /** Shown below the link of a path on the page of that path and of its links. */
  nested?: { path: string; links: readonly NavLink[] }
}

/** Renders the groups; the link of the current page is marked. */
export const renderNavigation = (groups: readonly NavGroup[], path: string): Html =>
  html`${groups.map(
    (group) =>
      html`<div class="nav-group"><p class="nav-title">${group.label}</p><ul>${group.links.map((link) => renderLink(link, group, path))}</ul></div>`,
  )}`

function renderLink(link: NavLink, { nested }: NavGroup, path: string): Html {
  const inner =
    nested?.path === link.path &&
    html`<ul class="nav-nested">${nested.links.map((child) => html`<li>${renderAnchor(child, path)}</li>`)}</ul>`
  return html`<li>${renderAnchor(link, path)}${inner}</li>`
}

/** Returns true for the link of an area if the current page is one of it. */
const contains = (path: string, current: string): boolean =>
  !['/docs', '/docs/api'].includes(path) && current.startsWith(`${path}/`)

const renderAnchor = ({ path, label, method }: NavLink, current: string): Html =>
  html`<a href="${path}"${path === current && html` aria-current="page"`}${contains(path, current) && html` class="contains"`}>${method && html`<span class="method method-${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`}<span>${label}</span></a>`
