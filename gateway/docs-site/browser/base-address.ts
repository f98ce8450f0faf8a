const exampleBase = 'https://api.example.com'

/** Replaces the address in code by that of this installation, so that examples can be run as they are. */
export function insertBaseAddress(origin: string): void {
  for (const code of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.nodeValue?.includes(exampleBase)) node.nodeValue = node.nodeValue.replaceAll(exampleBase, origin)
  }
}
