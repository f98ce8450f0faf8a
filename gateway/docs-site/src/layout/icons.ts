import { trusted } from '../html.ts'

const icon = (name: string, body: string) =>
  trusted(
    `<svg class="icon icon-${name}" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${body}</svg>`,
  )

export const icons = {
  menu: icon('menu', '<path d="M4 7h16M4 12h16M4 17h16"/>'),
  search: icon('search', '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>'),
  sun: icon(
    'sun',
    '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>',
  ),
  moon: icon('moon', '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>'),
  rocket: icon('rocket', '<path d="M13 4l-8 10h6l-1 6 8-10h-6z"/>'),
  key: icon('key', '<circle cx="8" cy="15" r="4"/><path d="m11 12 8-8M16 7l3 3"/>'),
  database: icon(
    'database',
    '<ellipse cx="12" cy="6" rx="7" ry="3"/><path d="M5 6v12c0 1.7 3.1 3 7 3s7-1.3 7-3V6M5 12c0 1.7 3.1 3 7 3s7-1.3 7-3"/>',
  ),
  chart: icon('chart', '<path d="M4 20V4M4 20h16M8 15l3.5-4 3 2.5L20 7"/>'),
  bolt: icon('bolt', '<path d="M4 12h4l2-6 4 12 2-6h4"/>'),
  bot: icon('bot', '<rect x="5" y="8" width="14" height="11" rx="3"/><path d="M12 8V4M9 13v1M15 13v1"/>'),
  plug: icon('plug', '<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4"/>'),
  book: icon('book', '<path d="M5 5a2 2 0 0 1 2-2h12v16H7a2 2 0 0 0-2 2zM5 5v16M9 8h6"/>'),
  mark: trusted(
    '<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f55d4"/><path d="M8 10.5l4.2 11 3.8-9 3.8 9 4.2-11" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  ),
}
