export const programsFolder: string
export const manifestName: string
export function findProgram(root: string, source: string): string | undefined
export function compileCacheOf(bundle: string): string
export function areProgramsCurrent(root: string): boolean
export function versionOf(path: string): string | undefined
