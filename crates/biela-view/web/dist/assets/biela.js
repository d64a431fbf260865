const token = new URL(location.href).searchParams.get("token") ?? "";
history.replaceState(null, "", "/");
const answer = await fetch("/api/session", { headers: { Authorization: `Bearer ${token}` } });
const state = document.getElementById("state");
if (answer.ok) {
  const { title, scene } = await answer.json();
  document.title = state.textContent = title;
  for (const body of scene.bodies) {
    const item = document.createElement("li");
    item.textContent = `${body.name}: ${body.mass} kg`;
    document.getElementById("bodies").append(item);
  }
} else {
  state.textContent = "The address has no valid token: start the viewer again.";
}
