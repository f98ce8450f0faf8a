import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { navigation } from './src/shell/commands/navigation.ts'

const source = (path: string) => readFileSync(join(import.meta.dirname, 'src', path), 'utf8')

/**
 * Returns the frame of a workspace as HTML: the navigation and a skeleton of the page. It is shown before any script
 * has run, and hidden from assistive technology, because nothing of it can be used yet.
 */
export function frameMarkup(productName: string): string {
  const groups = navigation.map(
    ({ label, items }) =>
      `<div>${label === undefined ? '' : `<h2>${label}</h2>`}${items.map((item) => `<span>${item.label}</span>`).join('')}</div>`,
  )
  return [
    '<div id="frame" aria-hidden="true">',
    `<header><b>${productName}</b></header>`,
    `<aside><b>${productName}</b><i></i><i></i><nav>${groups.join('')}</nav></aside>`,
    '<main><i></i><i></i><i></i></main>',
    '</div>',
  ].join('')
}

/** Returns the style of the frame, with the design tokens that it needs, in one small file. */
export const frameStyle = (): string =>
  `${source('theme/tokens.css')}body{margin:0}${source('shell/static-frame.css')}`
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
