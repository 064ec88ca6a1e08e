declare module 'virtual:static-page-script' {
  const address: string;
  export default address;
}
