const shownMs = 1_500

/** Shows the buttons that copy the visible code of a group. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const panels = button.closest('.code')?.querySelectorAll('pre') ?? []
      const visible = [...panels].find((panel) => panel.closest('[hidden]') === null)
      const copied = await navigator.clipboard.writeText(visible?.textContent ?? '').then(
        () => true,
        () => false,
      )
      button.textContent = copied ? 'Copied' : 'Not copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, shownMs)
    })
  }
}
