/**
 * The address in examples. The script of the site replaces it by that of the installation, tests by that of a fleet.
 */
export const exampleBase = 'https://api.example.com'
