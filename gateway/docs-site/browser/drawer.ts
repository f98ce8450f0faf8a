/** Makes the navigation a drawer on narrow screens, and shows the link of the current page on all. */
export function startDrawer(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu')
  const navigation = document.getElementById('navigation')
  if (button === null || navigation === null) return
  button.hidden = false
  const setOpen = (isOpen: boolean) => {
    document.documentElement.dataset.drawer = isOpen ? 'open' : 'closed'
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) (navigation.querySelector<HTMLElement>('[aria-current]') ?? navigation.querySelector('a'))?.focus()
  }
  const isOpen = () => button.getAttribute('aria-expanded') === 'true'
  button.addEventListener('click', () => setOpen(!isOpen()))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    setOpen(false)
    button.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (isOpen() && target instanceof Node && !navigation.contains(target) && !button.contains(target)) setOpen(false)
  })
  const current = navigation.querySelector<HTMLElement>('[aria-current]')
  if (current !== null && current.offsetTop > navigation.clientHeight - 80)
    navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2
}
