import sys
from pathlib import Path

import numpy as np
import pytest

import biela
from conftest import PENDULUM, ROOT

sys.path.insert(0, str(ROOT / "crates/biela-py"))


def pendulum(**rod):
    model = biela.Model("pendulum", space="planar", gravity=[0, -9.81], parameters={"length": "1 m", "start": "-30 deg"})
    about = {"mass": 2, "inertia": "2 kg*length^2/12", "com": ["length/2", 0], "points": {"tip": ["length", 0]}, **rod}
    model.body("rod", **about)
    model.revolute("pin", between=["ground", "rod"], initial={"angle": "start"})
    model.event("lowest", when="pin.angle + 90 deg")
    model.study(duration="2 s", output_step="10 ms")
    return model


def test_a_model_built_by_calls_moves_like_one_from_text():
    built, read = pendulum().run(), biela.loads(PENDULUM).run()
    assert list(built) == list(read)
    assert np.array_equal(built.data, read.data) and built.events == read.events


def test_the_text_of_a_built_model_is_read_by_the_command(tmp_path):
    model = pendulum()
    model.save(tmp_path / "model.toml")
    again = biela.load(tmp_path / "model.toml")
    assert np.array_equal(again.run().data, model.run().data)
    assert "[[joint]]" in model.to_toml() and 'type = "revolute"' in model.to_toml()


def test_numpy_numbers_and_arrays_are_accepted_as_values():
    model = biela.Model(space="planar", gravity=np.array([0.0, -9.81]))
    model.body("bob", mass=np.float64(2), inertia=np.float32(0.5), com=(np.int64(1), 0), position=[0, 0])
    model.revolute("pin", between=["ground", "bob"])
    assert model.check()["freedom"] == 1
    with pytest.raises(TypeError, match="type set cannot be written in a model"):
        model.body("odd", mass={1}, inertia=1)


def test_an_error_names_the_call_that_caused_it():
    model = pendulum(mass="2 m")
    with pytest.raises(biela.ModelError) as caught:
        model.run()
    told = str(caught.value)
    assert 'test_build.py' in told and 'body("rod")' in told and "pendulum:" not in told
    problem = caught.value.diagnostics[0]
    assert problem["element"] == 'body("rod")'
    line = int(problem["call"].split(":")[1])
    assert 'model.body("rod"' in Path(__file__).read_text().splitlines()[line - 1]


def test_joints_that_cannot_be_closed_name_their_call():
    model = pendulum()
    model.ground(points={"away": [5, 0]})
    model.revolute("far", between=["ground.away", "rod.tip"])
    with pytest.raises(biela.AssemblyError) as caught:
        model.run()
    told = str(caught.value)
    assert 'revolute("far")' in told and 'revolute("pin")' in told and "pendulum:" in told


def test_elements_are_added_to_a_model_that_was_read(tmp_path):
    path = tmp_path / "swing.toml"
    path.write_text(PENDULUM)
    model = biela.load(path)
    before = model.run()
    model.joint_damping("bearing", joint="pin", damping="0.5 N*m*s/rad")
    after = model.run()
    assert np.abs(after["pin.rate"]).max() < np.abs(before["pin.rate"]).max()
    model.body("wrong", mass="1 s", inertia=1)
    with pytest.raises(biela.ModelError, match=r'test_build\.py:\d+, body\("wrong"\)'):
        model.run()
    assert path.read_text() == PENDULUM


def test_a_table_is_a_function_of_formulas():
    model = pendulum()
    model.table("push", x=[0, 1, 2], y=[0, 3, 0], x_unit="s", y_unit="N*m")
    model.torque("motor", on="rod", value="push(t)")
    assert model.run(signals=["motor"])


def chain(count):
    model = biela.Model("chain", space="planar", gravity=[0, -9.81], parameters={"l": "20 cm"})
    link = model.component("link", ports={"mount": "frame"}, parameters={"length": {"unit": "m"}, "mass": 0.5})
    link.body("rod", mass="mass", inertia="mass*length^2/12", com=["length/2", 0], points={"tip": ["length", 0]})
    link.revolute("pin", between=["mount", "rod"])
    model.instance(
        "link",
        component="link",
        count=count,
        parameters={"length": "l*(1 + index)"},
        connect={"mount": "previous.rod.tip"},
        first={"mount": "ground"},
    )
    return model


def test_components_are_defined_by_methods_and_used_by_instances():
    model = chain(3)
    results = model.run(to="0.1 s", signals=["link0", "link2.pin.angle"])
    assert results["link2.pin.angle"][-1] != 0
    assert "link0.rod.x" in model.signals
    other = biela.loads(model.to_toml(), set={"link2.length": "10 cm"})
    set_apart = other.run(to="0.1 s", signals=["link2.pin.angle"])
    assert set_apart["link2.pin.angle"][-1] != results["link2.pin.angle"][-1]


def test_components_contain_components_and_tables():
    model = biela.Model("nested", space="planar")
    arm = model.component("arm", description="two rods")
    rod = arm.component("rod", parameters={"mass": 1})
    rod.table("profile", x=[0, 1], y=[1, 2])
    rod.body("rod", mass="mass*profile(0)", inertia=1)
    rod.ground(points={"pivot": [1, 0]})
    rod.revolute("pin", between=["ground.pivot", "rod"])
    arm.instance("a", component="rod", at=[1, 0])
    arm.instance("b", component="rod", parameters={"mass": 2}, at=[2, 0])
    model.instance("arm", component="arm", at=[10, 0], angle="90 deg")
    assert model.facts()["bodies"] == ["arm.a.rod", "arm.b.rod"]
    assert model.check()["problems"] == []


def test_hard_points_place_joints_and_bodies():
    points = {"A": [0, 0], "B": ["20 cm", "10 cm"]}
    model = biela.Model("pendulum", space="planar", gravity=[0, -9.81], points=points)
    model.body("rod", mass=1, inertia=0, along=["A", "B"], com="B")
    model.revolute("pin", between=["ground", "rod"], at="A")
    arm = model.component("arm", points={"end": [0, 0.1]}, ports={"mount": "frame"})
    arm.body("bob", mass=0.1, inertia=0.01, com="end")
    arm.weld("hold", between=["mount", "bob"], at="end")
    model.instance("arm", component="arm", connect={"mount": "rod"}, at=["B.x", "B.y"])
    results = model.run(to="0.1 s", signals=["pin.angle", "rod.B.x", "arm.bob.end.y"])
    assert results["rod.B.x"][0] == pytest.approx(0.2)
    assert results["arm.bob.end.y"][0] == pytest.approx(0.2)
    assert results["pin.angle"][0] == 0
    other = biela.loads(model.to_toml(), set={"B.x": "30 cm"})
    assert other.run(to="0.1 s", signals=["rod.B.x"])["rod.B.x"][0] == pytest.approx(0.3)


def test_mistakes_in_components_name_the_call():
    model = chain(3)
    model.instance("other", component="lnik")
    with pytest.raises(biela.ModelError, match=r'test_build\.py:\d+, instance\("other"\)'):
        model.run()


def test_python_keywords_are_accepted_as_names():
    model = biela.Model("a \"quoted\" name", space="spatial", description="tab\tand 'quotes'")
    model.body("b", mass=1, inertia=[1, 1, 1])
    model.revolute("j", between=["ground", "b"], axis=[0, 0, 1])
    assert model.facts()["name"] == 'a "quoted" name'


def test_control_characters_in_texts_are_rejected():
    model = biela.Model("red \x1b[31m", space="spatial")
    model.body("b", mass=1, inertia=[1, 1, 1])
    with pytest.raises(biela.ModelError, match="invisible character"):
        model.facts()


def test_the_methods_are_those_of_the_language():
    import generate

    assert generate.FILE.read_text(encoding="utf-8") == generate.source(), "run generate.py"


def test_every_joint_and_force_is_a_method_with_a_docstring():
    families = {family["table"]: family for family in biela._biela.words()["families"]}
    for table in ("joint", "force", "coupler"):
        for kind in families[table]["kinds"]:
            name = kind["name"].replace("-", "_")
            method = getattr(biela.Model, f"{name}_{table}" if name in families else name)
            for key in kind["keys"]:
                assert key["name"] in method.__doc__


def test_external_inputs_are_declared_by_a_method():
    model = pendulum()
    model.input("torque", unit="N*m", initial=0.5, hold="linear")
    model.torque("motor", on="rod", value="torque")
    assert "[[input]]" in model.to_toml() and model.check()["problems"] == []
    assert model.run(to="0.1 s").finished


def test_arguments_with_fixed_words_have_literal_types():
    from typing import get_args, get_type_hints

    from biela import elements

    assert set(get_args(elements.Formulation)) == {"absolute", "tree"}
    assert {"dopri5", "bdf", "rk4"} <= set(get_args(elements.Integrator))
    hold = get_type_hints(biela.Model.input)["hold"]
    assert get_args(get_args(hold)[0]) == ("zero", "linear")
    assert {"revolute", "hinge"} <= set(get_args(get_type_hints(biela.Model.joint)["type"]))
