export default function Home() {
  return <h1>Madhouse</h1>;
}
