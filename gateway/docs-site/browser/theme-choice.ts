// Runs before the page is painted: applies the colour scheme that was chosen here or in the console, which has the same
// origin. It is a classic script, so it imports nothing.
const stored = localStorage.getItem('console.theme')
const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
document.documentElement.dataset.script = 'on'
