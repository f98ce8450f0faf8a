declare module 'virtual:endpoint-table' {
  import type { EndpointTable } from '@wp/client/browser'

  const table: EndpointTable
  export default table
}

declare module '@fontsource-variable/inter/wght.css'
