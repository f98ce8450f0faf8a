import { dirname, relative, resolve } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Keeps the location that a module sees: `import.meta.url` and `import.meta.dirname` stay those of its source, which a
 * module uses to find files beside it. The URL of a program that is bundled becomes that of its bundle.
 * @param folder the folder of the bundles
 * @param bundles names of bundles, by the absolute path of their source
 */
export function keepSourceLocations(folder: string, bundles: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'keep-source-locations',
    transform: {
      filter: { code: 'import.meta' },
      handler(code, id) {
        if (code.includes('import.meta.resolve')) this.error(`${id}: use createRequire instead of import.meta.resolve`)
        const source = JSON.stringify(relative(folder, id))
        const sourceFolder = JSON.stringify(relative(folder, dirname(id)))
        const programUrl = (whole: string, path: string) => {
          const bundle = bundles.get(resolve(dirname(id), path))
          return bundle === undefined ? whole : `new URL('./${bundle}.js', import.meta.bundleUrl)`
        }
        const replaced = code
          .replace(/new URL\('([^']+)', import\.meta\.url\)/g, programUrl)
          .replaceAll('import.meta.dirname', 'sourceFolderOfModule')
          .replaceAll('import.meta.url', 'sourceUrlOfModule')
          .replaceAll('import.meta.bundleUrl', 'import.meta.url')
        // On the first line, so that line numbers stay.
        const before = [
          replaced.includes('sourceUrlOfModule')
            ? `const sourceUrlOfModule = new URL(${source}, import.meta.url).href; `
            : '',
          replaced.includes('sourceFolderOfModule')
            ? `const sourceFolderOfModule = process.getBuiltinModule('node:path').join(import.meta.dirname, ${sourceFolder}); `
            : '',
        ]
        return { code: before.join('') + replaced, map: null }
      },
    },
  }
}
